import type { Wrapping } from "../../../api/body/wrapping.ts";
import { type Html, html } from "../html.ts";

/** Stands for the mirror: its own address depends on who asks. A script writes that in its place. */
export const SOME_MIRROR = "https://mirror.example";

interface Sample {
  name: string;
  write: (address: string, wrapping: Wrapping) => string;
}

/** Each runs as it stands, with nothing but what its language brings. */
const SAMPLES: readonly Sample[] = [
  { name: "curl", write: (address) => `curl --compressed '${address}'` },
  {
    name: "Python",
    write: (address, wrapping) => `import json
from urllib.request import urlopen

with urlopen("${address}") as answer:
    body = json.load(answer)
${{ pages: 'print(body["data"]["total"], body["data"]["records"][0])', data: 'print(body["data"])', body: "print(body)" }[wrapping]}`,
  },
  {
    name: "TypeScript",
    write: (address, wrapping) => `const answer = await fetch("${address}");
if (!answer.ok) throw new Error(await answer.text());
${
  {
    pages: `const { data } = (await answer.json()) as { data: { records: unknown[]; total: number } };
console.log(data.total, data.records[0]);`,
    data: `const { data } = (await answer.json()) as { data: unknown };
console.log(data);`,
    body: "console.log(await answer.json());",
  }[wrapping]
}`,
  },
];

export const samples = (address: string, wrapping: Wrapping): Html =>
  html`${SAMPLES.map(({ name, write }) => html`<h3>${name}</h3>${codeBlock(name, write(SOME_MIRROR + address, wrapping))}`)}`;

/** Text in a fixed width, that scrolls by itself. */
export const codeBlock = (name: string, text: string): Html =>
  html`<pre class="code" tabindex="0" role="region" aria-label="${name}">${text}</pre>`;
