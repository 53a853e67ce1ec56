/**
 * `npm run test:cluster`: three gateways with real servers, each of which is broken in turn; `-- 5` does it five times in a row.
 *
 * KEEP_CLUSTER=<directory>    keeps logs and databases there
 * RELEASE_BEFORE=<directory>  build of another release: gateways start with it, are replaced by this one, and back
 */
import { run } from '../../scripts/test/stage.ts'

const times = Number(process.argv[2] ?? 1)
const outcomes: boolean[] = []
for (let i = 1; i <= times; i++)
  outcomes.push(
    await run(`Cluster, ${i} of ${times}`, ['npx', 'vitest', 'run', '--project', 'cluster'], {
      env: { CLUSTER: 'long' },
    }),
  )
const kept = outcomes.filter(Boolean).length
console.log(`All promises were kept in ${kept} of ${times} runs`)
process.exit(kept === times ? 0 : 1)
