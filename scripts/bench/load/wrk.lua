-- The load of `make bench`: wrk -s wrk.lua URL -- PATHS SEED. Each thread draws from the file of paths with dice of
-- its own, so that connections do not walk in step and each round asks for others.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  math.randomseed(args[2] * 1000 + number)
  requests = {}
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end

function request()
  return requests[math.random(#requests)]
end

-- Statuses above 399 are errors to wrk. The clock is that of the whole process.
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local line = '{"requests":%d,"failed":%d,"seconds":%.3f,"cpu":%.3f,"p99":%.3f}\n'
  local seconds = summary.duration / 1e6
  io.write(string.format(line, summary.requests, failed, seconds, os.clock(), latency:percentile(99) / 1000))
end
