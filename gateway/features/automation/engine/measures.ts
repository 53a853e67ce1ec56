import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { type CompiledRule, ruleKey } from './compile.ts'
import type { MeasuredValues } from './decide-rule.ts'
import type { Engine } from './engine.ts'
import type { HomeDemand, MeterSums } from './ports.ts'
import type { RuleKey } from '../rules/rule-rows.ts'

/** Names of home measures in conditions, and the corresponding fields of the demand. */
const OF_HOME: Readonly<Record<string, keyof HomeDemand>> = {
  DemandRolling: 'Rolling',
  DemandForecast: 'Forecast',
  DemandShare: 'Share',
}

/** Computes the measures for the conditions of a rule. Failed ones are omitted, so that their conditions keep their verdict. */
export async function computeMeasures(
  { ruleIndex, ports, clock, log }: Engine,
  key: RuleKey,
): Promise<MeasuredValues> {
  const rule = ruleIndex.rules.get(ruleKey(key))
  const measures = new Map<number, number | null>()
  if (!rule?.watched.some(({ source }) => source === 'measure')) return measures
  const answers = new Map<string, Promise<HomeDemand | MeterSums>>()
  const read = (uid: string) => {
    const answer =
      answers.get(uid) ??
      (uid === HOME_SUBJECT ? ports.demandOf(rule, clock.now()) : ports.sumsOf(rule, uid, clock.now()))
    answers.set(uid, answer)
    return answer
  }
  for (const [i, { condition, source }] of rule.watched.entries()) {
    if (source !== 'measure') continue
    try {
      measures.set(i, valueOf(await read(condition.PeripheralUID), rule, i))
    } catch (err) {
      log.warn({ err, automationId: key.automationId }, 'sum or demand not computed')
    }
  }
  return measures
}

/** Energy of the meter of a rule with predicted alarms in the last 60 minutes, kWh; undefined for other rules and on failure. */
export async function hourlyConsumptionOf(
  { ruleIndex, ports, clock, log }: Engine,
  key: RuleKey,
): Promise<number | null | undefined> {
  const rule = ruleIndex.rules.get(ruleKey(key))
  const [watched] = rule?.watched ?? []
  if (!watched || !rule?.rule.Alarm?.Ahead) return undefined
  try {
    return await ports.paceOf(rule, watched.condition.PeripheralUID, clock.now())
  } catch (err) {
    log.warn({ err, automationId: key.automationId }, 'meter rate not computed')
    return undefined
  }
}

function valueOf(answer: HomeDemand | MeterSums, { watched }: CompiledRule, i: number): number | null {
  const { Field = '' } = watched[i]?.condition ?? {}
  return (answer as unknown as Record<string, number | null>)[OF_HOME[Field] ?? Field] ?? null
}
