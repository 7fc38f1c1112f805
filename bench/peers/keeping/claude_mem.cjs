// claude-mem: by its own store, as its worker uses it. What it observes a model would write; here words of ours.
const { SessionStore } = require(`${process.env.PEER}/plugin/sqlite/SessionStore.js`);

const project = process.argv[2];
const name = project.split("/").pop();
const store = new SessionStore(`${process.env.HOME}/.claude-mem/claude-mem.db`);
const session = store.createSDKSession("c0ffee00-0000-4000-8000-000000000001", name, "make the cache faster");
store.updateMemorySessionId(session, "memory-1");
store.saveUserPrompt("c0ffee00-0000-4000-8000-000000000001", 1, "make the cache faster");
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
const kept = store.getObservationsForSession("memory-1").length + (store.getSummaryForSession("memory-1") ? 1 : 0);
console.log(JSON.stringify({ memories: kept, live: kept }));
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
