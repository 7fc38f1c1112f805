// Takes out what `init` wrote to keep OpenCode from waiting for npm, as soon as something needs what is not fetched then:
// OpenCode fetches it at its next start. The other half is `opencode_dependencies.py`.
import fs from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const PACKAGE = "@opencode-ai/plugin"
const CODE = ["plugin", "plugins", "tool", "tools"]
const LARGEST = 1024 * 1024

/** Looks at OpenCode's folders: the user's own, and that of where it works. */
export function withdrawn(directory) {
  const own = join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "opencode")
  for (const folder of [own, join(homedir(), ".opencode"), join(directory, ".opencode")]) {
    try {
      const ours = join(folder, "node_modules", "aftermind.json")
      if (!fs.existsSync(ours) || !isNeeded(folder)) continue
      fs.unlinkSync(join(folder, "package-lock.json"))
      fs.unlinkSync(ours)
      fs.rmdirSync(join(folder, "node_modules"))
    } catch {} // another process was faster, or somebody installed packages there
  }
}

function isNeeded(folder) {
  if (fs.existsSync(join(folder, "package.json"))) return true
  return CODE.flatMap((name) => files(join(folder, name))).some((file) => {
    return fs.statSync(file).size <= LARGEST && fs.readFileSync(file, "utf8").includes(PACKAGE)
  })
}

function files(folder) {
  if (!fs.existsSync(folder)) return []
  return fs.readdirSync(folder).filter((name) => /\.[jt]s$/.test(name)).map((name) => join(folder, name))
}
