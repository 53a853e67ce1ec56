import type { Deps, Feature } from '../../deps.ts'
import { expiry } from '../../store/expiry.ts'
import { auditHandlers } from './audit.ts'
import { expiringAudit } from './expiring.ts'

/** Who changed what. */
export const audit = (deps: Deps) =>
  ({
    handlers: { audit: auditHandlers },
    jobs: [expiry('audit', deps, expiringAudit(deps, deps.config.keepDays.audit))],
  }) satisfies Feature
