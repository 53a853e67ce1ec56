import type { Deps, Feature } from '../../kernel/deps.ts'
import { createAccess } from './access.ts'
import { employeeHandlers } from './employee.ts'
import { passHandlers } from './pass-calls.ts'
import { photoHandlers } from './photo-calls.ts'
import type { AccessPorts } from './ports.ts'
import { scanHandlers } from './scan-calls.ts'
import { scannerCallHandlers } from './scanner-calls.ts'
import { scannerHandlers } from './scanner.ts'
import { createAccessRetentionJob } from './retention.ts'
import { visitHandlers } from './visit-calls.ts'
import { visitorHandlers } from './visitor.ts'

const DAY = 86_400_000

/** Who comes through the doors: employees, visitors, their passes and the scanners that read them. */
export function access(deps: Deps, ports: AccessPorts) {
  const { visitors, scans } = deps.config.keepDays
  const doors = createAccess({ ...deps, key: deps.keyFor('passes') })
  return {
    handlers: {
      visitor: visitorHandlers(deps.config.mailQuota),
      employee: employeeHandlers(ports),
      scanner: scannerHandlers,
      accessControl: {
        ...visitHandlers,
        ...passHandlers(doors, deps.config.mailQuota),
        ...photoHandlers(ports),
        ...scannerCallHandlers,
        ...scanHandlers,
      },
    },
    topics: { accessScan: doors.receive, accessPresence: doors.receive },
    jobs: [createAccessRetentionJob({ ...deps, keep: { visitors: visitors * DAY, scans: scans * DAY } })],
    presence: { scanner: doors.presence },
    prepare: doors.markAllOffline,
    close: doors.close,
  } satisfies Feature
}
