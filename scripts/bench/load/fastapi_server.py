"""A yardstick: what can be written in an afternoon. It answers hero endpoints from the same file, in English alone, without
entity tags, codings, errors or checks. `fastapi_server.py FILE`; standard input has the endpoints as JSON."""

import json
import socket
import sqlite3
import sys

import uvicorn
from fastapi import FastAPI, Request, Response

app = FastAPI()
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
SELECT = "SELECT json FROM record JOIN coverage USING (slice_id) WHERE dataset = ? AND slice = ? ORDER BY position LIMIT ? OFFSET ?"


def add(path: str, dataset: str, parameters: list[tuple[str, str, str]]):
    @app.get(path)
    async def answer(hero: str, request: Request, size: int = 20, index: int = 1):
        selected = [f"{key}={request.query_params.get(name, default)}" for key, name, default in parameters]
        key = "&".join([f"hero={hero}", *selected, "lang=en"])
        rows = db.execute(SELECT, (dataset, key, size, (index - 1) * size)).fetchall()
        records = ",".join(row[0] for row in rows)
        body = '{"code":0,"message":"OK","data":{"records":[' + records + f'],"total":{len(rows)}}}}}'
        return Response(body, media_type="application/json")


for endpoint in json.load(sys.stdin):
    add(**endpoint)

with socket.create_server(("127.0.0.1", 0)) as server:
    print(f"fastapi on http://127.0.0.1:{server.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="warning")).run(sockets=[server])
