import { GatewayError } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/db.ts'
import { type RuleUnderCheck, loopsWith, readLoops, readOtherRules } from './other-rules.ts'

/** Rejects a rule that may start itself again, directly or through others. Errors: INVALID with loop at AcceptLoop. */
export async function assertNoLoop(
  db: Db,
  home: { tenant: string; homeId: string },
  judged: RuleUnderCheck,
): Promise<void> {
  if (!judged.rule.Conditions) return
  const rules = await readOtherRules(db, home, judged)
  const [loop] = loopsWith(rules)
  if (!loop) return
  const names = loop.flatMap((id) => rules.names.get(id)?.AutomationName ?? [])
  const text = names.length > 0 ? `It and ${names.join(', ')} may start each other` : 'It may start itself'
  throw new GatewayError('INVALID', `${text} again and again`, { AcceptLoop: 'loop' })
}

/**
 * Makes a change of groups, scenes or their targets, and rejects it if automations can then start each other in a new loop. Loops
 * that were accepted when saved remain.
 *
 * field   field of the error
 * errors  INVALID with startsLoop; the transaction must not continue
 */
export async function assertNoNewLoop(
  db: Db,
  home: { tenant: string; homeId: string },
  field: 'Actions' | 'PeripheralList' | 'New',
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await readLoops(db, home)
  await change()
  const { loops, names } = await readLoops(db, home)
  const fresh = loops.find((ids) => !before.loops.some((old) => ids.every((id) => old.includes(id))))
  if (!fresh) return
  const named = fresh.flatMap((id) => names.get(id)?.AutomationName ?? []).join(', ')
  throw new GatewayError('INVALID', `${named} may start each other again and again`, {
    [field]: 'startsLoop',
  })
}
