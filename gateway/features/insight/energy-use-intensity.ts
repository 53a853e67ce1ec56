import type { insight } from '../../../contract/energy/insight-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { EUI_DAYS, euiOf } from '../../../contract/energy/eui.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { areaOn } from '../../../contract/homes/place-facts.ts'
import type { Handler } from '../../kernel/context.ts'
import { readPlaceFacts } from '../../domain/homes/place-facts.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { InsightPorts } from './logic/ports.ts'

type Call = (typeof insight)['getEnergyUseIntensity']

/** §GetEnergyUseIntensity: over the last 365 finished days, or since the first day with data. */
export const energyUseIntensityHandler =
  (clock: Pick<Clock, 'now'>, { energy }: Pick<InsightPorts, 'energy'>): Handler<Call> =>
  async ({ HomeID }, { db, actor }): Promise<ResultsOf<Call>> => {
    const home = await energy.homeOf(actor.tenant, HomeID)
    const end = dayOf(clock.now(), home.zone)
    const from = Math.max(end - EUI_DAYS, (await energy.firstDay(actor.tenant, home)) ?? end)
    const facts = await readPlaceFacts(db, actor.tenant, HomeID)
    const area = (day: number) => areaOn(facts, null, day) ?? null
    const ComputedPercent = await energy.computedPercent(actor.tenant, home, from, end)
    const profile = await energy.loadProfile(actor.tenant, home, from, end, 'consumption')
    const days = [...profile].map(([day, { kWh, complete, total }]) => ({
      kWh: kWh.reduce((sum, one) => sum + one, 0),
      complete: total > 0 ? complete / total : 0,
      area: area(day),
    }))
    const known = euiOf(days)
    const isSaid = 'Eui' in known
    return {
      From: days.length ? formatDay(from) : null,
      Through: days.length ? formatDay(end - 1) : null,
      Eui: isSaid ? known.Eui : null,
      Complete: isSaid ? known.Complete : null,
      Area: area(end - 1),
      Days: days.length,
      Lack: isSaid ? null : known.Lack,
      ComputedPercent,
    }
  }
