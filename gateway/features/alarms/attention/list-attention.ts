import { type attention, MAX_ATTENTION_ITEMS } from '../../../../contract/attention/calls.ts'
import { may } from '../../../../contract/kernel/permissions.ts'
import { attentionOf } from '../../../../contract/attention/attention.ts'
import type { Severity } from '../../../../contract/kernel/severity.ts'
import type { Handler } from '../../../kernel/context.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { isVisibleTo } from '../state/list-alarms.ts'
import { currentAlarms, devicesOf, maintenancesOf, quarantinedOf } from './attention-facts.ts'
import { type DemandPorts, demandsOf } from './demands.ts'

/** Features whose items are omitted without the right to read them. */
const OF_ITEMS = ['device', 'power_meter_alarm', 'electricity'] as const

const NOBODY = { hubs: [], devices: [], statusOf: () => undefined }

/** Lists everything that needs attention, by the shared rule, as far as the person may see it. */
export const createListAttention =
  (ports: DemandPorts): Handler<typeof attention.listAttention> =>
  async ({ HomeID }, { db, actor, clock }) => {
    const { tenant } = actor
    if (HomeID !== undefined) await findHome(db, tenant, HomeID)
    const now = clock.now()
    const where = { tenant, HomeID }
    const sees = (feature: (typeof OF_ITEMS)[number]) => may(actor, feature, 'Read')
    const [devices, alarms, maintenances, quarantined, demands] = await Promise.all([
      sees('device') ? devicesOf(db, where, now) : NOBODY,
      currentAlarms(db, where, isVisibleTo(actor), now),
      maintenancesOf(db, where, now),
      sees('electricity') ? quarantinedOf(db, where) : [],
      sees('electricity')
        ? demandsOf(db, ports, { ...where, seesRules: sees('power_meter_alarm') }, now)
        : [],
    ])
    const homes = sees('device')
      ? [...new Set([...devices.devices, ...devices.hubs, ...alarms].map((one) => one.HomeID))]
      : []
    const { Items, ...found } = attentionOf(
      { ...devices, alarms, maintenances, quarantined, demands, homes, connected: sees('device') },
      now,
    )
    const count = (severity: Severity) => Items.filter(({ Severity }) => Severity === severity).length
    return {
      ...found,
      Items: Items.slice(0, MAX_ATTENTION_ITEMS),
      Counts: { critical: count('critical'), warning: count('warning'), info: count('info') },
      AsOf: now,
      Without: OF_ITEMS.filter((feature) => !sees(feature)),
    }
  }
