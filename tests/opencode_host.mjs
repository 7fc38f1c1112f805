// Stands where OpenCode stands for its plugin: loads it, and does what it is told, a JSON line at a time.
//
//   {"hook": "chat.message", "input": {…}, "output": {…}}   calls a hook; answers with the output as the hook left it
//   {…, "busy": 1500}                                       and computes for so many milliseconds before it looks up
//   {"messages": {"ses_1": [{"info": …, "parts": […]}]}}    is what OpenCode has of a session from now on
//   {"sessions": {"ses_1": {"id": "ses_1", …}}}
//   {"call": "withoutPrivate", "of": "opencode_private.js", "with": […]}   answers with what a function answers for each
import { createInterface } from "node:readline"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const [file, directory, options] = process.argv.slice(2)
const known = { messages: {}, sessions: {} }
const client = {
  session: {
    get: async ({ path }) => ({ data: known.sessions[path.id] }),
    messages: async ({ path, query }) => ({ data: known.messages[path.id]?.slice(-query.limit) }),
  },
}
const exported = Object.values(await import(pathToFileURL(file)))
if (exported.some((one) => typeof one !== "function")) throw new Error("only functions may be exported")
const hooks = await exported[0]({ client, directory, worktree: "/", project: { id: "global" } }, JSON.parse(options))

for await (const line of createInterface({ input: process.stdin })) {
  const { hook, input, output, call, of, with: values, busy, ...more } = JSON.parse(line)
  let answer = {}
  const done = hook && hooks[hook](input, output)
  if (busy) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busy)
  if (hook) await done
  else if (call) answer = { answers: values.map((await import(pathToFileURL(join(dirname(file), of))))[call]) }
  for (const name of Object.keys(more)) Object.assign(known[name], more[name])
  console.log(JSON.stringify({ output, ...answer }))
}
