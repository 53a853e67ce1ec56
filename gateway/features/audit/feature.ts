import type { Deps, Feature } from '../../deps.ts'
import { expiry, keepMonthsAhead } from '../../store/expiry.ts'
import { auditHandlers } from './audit.ts'
import { AUDIT, expiringAudit } from './expiring.ts'

/** Who changed what. */
export function audit(deps: Deps) {
  const months = keepMonthsAhead(deps, AUDIT)
  return {
    handlers: { audit: auditHandlers },
    jobs: [months.job, expiry('audit', deps, expiringAudit(deps, deps.config.keepDays.audit))],
    prepare: months.prepare,
  } satisfies Feature
}
