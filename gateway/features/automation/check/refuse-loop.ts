import { GatewayError } from '../../../errors.ts'
import type { Db } from '../../../store/db.ts'
import { type Judged, loopsWith, readOtherRules } from './other-rules.ts'

/** Refuses a rule that may start itself again, by itself or with others. Errors: INVALID with loop at AcceptLoop. */
export async function refuseLoop(
  db: Db,
  home: { tenant: string; homeId: string },
  judged: Judged,
): Promise<void> {
  if (!judged.rule.Conditions) return
  const rules = await readOtherRules(db, home, judged)
  const [loop] = loopsWith(rules)
  if (!loop) return
  const names = loop.flatMap((id) => rules.names.get(id)?.AutomationName ?? [])
  const text = names.length > 0 ? `It and ${names.join(', ')} may start each other` : 'It may start itself'
  throw new GatewayError('INVALID', `${text} again and again`, { AcceptLoop: 'loop' })
}
