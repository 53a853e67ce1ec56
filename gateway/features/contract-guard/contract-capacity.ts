import { QUARTER_MS } from '../../../contract/time/periods.ts'
import type { Db } from '../../store/db.ts'
import type { GuardPorts } from './ports.ts'

/** The channel on which the database says, with the commit, of which company tariffs, contracts or off-peak days changed. */
const CHANGED = 'pricing_changed'

type AllowedAt = GuardPorts['allowedAt']

/**
 * What contracts allow, kept for the quarter of an hour in which it was asked: until then neither the band nor the billed peak can be
 * another, unless a tariff changes, by whichever gateway.
 */
export function createContractCapacityCache(db: Pick<Db, 'listen'>, allowedAt: AllowedAt): AllowedAt {
  const kept = new Map<string, { tenant: string; quarter: number; answer: ReturnType<AllowedAt> }>()
  db.listen(CHANGED, {
    heard(changed) {
      for (const [key, { tenant }] of kept) if (tenant === changed) kept.delete(key)
    },
    missed: () => kept.clear(),
  })
  return (tenant, homeId, at, withBilled) => {
    const key = `${tenant}/${homeId}/${withBilled}`
    const quarter = Math.floor(at / QUARTER_MS)
    const found = kept.get(key)
    if (found?.quarter === quarter) return found.answer
    const answer = allowedAt(tenant, homeId, at, withBilled)
    const asked = { tenant, quarter, answer }
    kept.set(key, asked)
    answer.catch(() => {
      if (kept.get(key) === asked) kept.delete(key)
    })
    return answer
  }
}
