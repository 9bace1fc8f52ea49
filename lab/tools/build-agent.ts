// Writes the robot agent as it is shipped to .build/portcullis-agent.mjs (`npm run build:agent`).
import { bundleAgent, programPaths } from '../local/bundle.ts'

await bundleAgent()
process.stdout.write(`${programPaths.agent}\n`)
