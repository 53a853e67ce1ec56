import { FIRST_DECISION_MS } from '../automation/load-shedding.ts'
import { QUARTER_MS } from '../time/periods.ts'
import { DEMAND_WARNING_SHARE, SEVERITY_OF } from '../alarms/alarm-states.ts'
import { type maintainedBy, storedOf } from './attention-alarms.ts'
import type { AttentionItem, DemandFact, QuarantinedFact } from './attention-item.ts'

type Maintained = ReturnType<typeof maintainedBy>

/** Items about energy; none for homes or meters in maintenance. */
export function energyItems(
  {
    demands = [],
    quarantined = [],
  }: { demands?: readonly DemandFact[]; quarantined?: readonly QuarantinedFact[] },
  maintained: Maintained,
  now: number,
): AttentionItem[] {
  return [
    ...demands.filter(({ HomeID }) => !maintained.home(HomeID)).flatMap((fact) => demandItem(fact, now)),
    ...quarantined
      .filter((fact) => !isMaintained(maintained, fact.HomeID, fact.MeterID))
      .map(quarantinedItem),
  ]
}

/** Evaluates demand from the third minute of a quarter-hour on: earlier, a single starting load would dominate the forecast. */
function demandItem({ HomeID, Forecast, Limit, IsRuled }: DemandFact, now: number): AttentionItem[] {
  if (IsRuled || Forecast === null || Limit === null || Limit <= 0) return []
  if (now % QUARTER_MS < FIRST_DECISION_MS || Forecast < Limit * DEMAND_WARNING_SHARE) return []
  return [
    {
      Key: `demand/${HomeID}`,
      Kind: 'demand',
      Severity: SEVERITY_OF.demand(Forecast >= Limit),
      HomeID,
      RoomID: null,
      Subject: HomeID,
      Name: null,
      Since: now - (now % QUARTER_MS),
      Stale: null,
      Forecast,
      Limit,
      ...storedOf(),
    },
  ]
}

const quarantinedItem = ({
  HomeID,
  MeterID,
  Name,
  RoomID,
  Count,
  Since,
}: QuarantinedFact): AttentionItem => ({
  Key: `quarantined/${MeterID}`,
  Kind: 'quarantined',
  Severity: SEVERITY_OF.quarantined(),
  HomeID,
  RoomID,
  Subject: MeterID,
  Name,
  Since,
  Stale: null,
  Count,
  ...storedOf(),
})

/**
 * Items from the gateway that a screen cannot compute, if they can still be true: demand of the current quarter-hour, quarantined
 * readings, and devices that have never reported.
 *
 * isSilentStill  whether a monitored device has still not reported
 */
export function givenItems(
  given: readonly AttentionItem[],
  isSilentStill: (uid: string) => boolean,
  maintained: Maintained,
  now: number,
): AttentionItem[] {
  return given.filter((item) => {
    if (item.Kind === 'demand')
      return item.Since === now - (now % QUARTER_MS) && !maintained.home(item.HomeID)
    if (item.Kind === 'neverSeen') return !item.IsHub && isSilentStill(item.Subject)
    return item.Kind === 'quarantined' && !isMaintained(maintained, item.HomeID, item.Subject)
  })
}

const isMaintained = (maintained: Maintained, HomeID: string, meterId: string): boolean => {
  const [PeripheralUID = ''] = meterId.split('.')
  return maintained.device({ HomeID, ThingName: null, PeripheralUID }) !== undefined
}
