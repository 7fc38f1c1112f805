// claude-mem: its worker runs and is told to save; what a model would observe is put in by the worker's own store, in
// words of ours. The worker says what it has.
const { spawn } = require("node:child_process");
const { SessionStore } = require(`${process.env.PEER}/plugin/sqlite/SessionStore.js`);

const project = process.argv[2];
const name = project.split("/").pop();
const port = 20000 + (process.pid % 20000);
const worker = spawn(process.execPath, [`${process.env.PEER}/plugin/scripts/worker-service.cjs`], {
  cwd: project,
  env: { ...process.env, CLAUDE_MEM_WORKER_PORT: String(port) },
  stdio: ["ignore", "inherit", "inherit"].map((one, at) => (at ? 2 : one)),
});
const end = () => {
  worker.kill("SIGTERM");
  process.exit(0);
};
process.stdin.resume();
process.stdin.on("end", end);

async function asked(path, body) {
  const options = body && {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return (await fetch(`http://127.0.0.1:${port}${path}`, options)).json();
}

async function ready() {
  for (let tries = 0; tries < 240; tries++) {
    try {
      if ((await asked("/api/health")).initialized) return;
    } catch {
      // not yet
    }
    await new Promise((done) => setTimeout(done, 250));
  }
  throw new Error("its worker did not come up");
}

function observe(store) {
  const client = "c0ffee00-0000-4000-8000-000000000001";
  const session = store.createSDKSession(client, name, "make the cache faster");
  store.updateMemorySessionId(session, "memory-1");
  store.saveUserPrompt(client, 1, "make the cache faster");
  const sorts = ["decision", "bugfix", "feature", "refactor", "discovery", "change"];
  for (let number = 0; number < 30; number++) {
    const observed = {
      type: sorts[number % sorts.length],
      title: `Observation ${number} of the cache`,
      subtitle: `the cache of service ${number}`,
      facts: [`its keys begin with tenant ${number}`],
      narrative: `The cache of service ${number} was read before it was warm.`,
      concepts: ["caching", "how-it-works"],
      files_read: [`cache${number}.py`],
      files_modified: [],
    };
    store.storeObservation("memory-1", name, observed, 1, 10, Date.parse("2026-01-31T12:00:00Z") + number * 60000);
  }
  const summary = {
    request: "make the cache faster",
    investigated: "the order of reads",
    learned: "it was cold",
    completed: "a warm-up",
    next_steps: "measure",
    notes: null,
  };
  store.storeSummary("memory-1", name, summary, 1, 10, Date.parse("2026-01-31T13:00:00Z"));
}

ready()
  .then(async () => {
    observe(new SessionStore(`${process.env.HOME}/.claude-mem/claude-mem.db`));
    for (const text of ["The release is cut on Thursdays", "The staging host is called blue"]) {
      await asked("/api/memory/save", { text, project: name });
    }
    const { database } = await asked("/api/stats");
    const kept = database.observations + database.summaries;
    console.log(JSON.stringify({ memories: kept, live: kept }));
  })
  .catch((error) => {
    console.error(error);
    worker.kill("SIGTERM");
    process.exit(1);
  });
