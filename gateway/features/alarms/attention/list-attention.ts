import { type attention, MAX_ATTENTION_ITEMS } from '../../../../contract/attention/calls.ts'
import { may } from '../../../../contract/kernel/permissions.ts'
import { attentionOf } from '../../../../contract/attention/attention.ts'
import type { Severity } from '../../../../contract/kernel/severity.ts'
import type { Handler } from '../../../kernel/context.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { isVisibleTo } from '../state/list-alarms.ts'
import { readCurrentAlarms, readDevices, readMaintenances, readQuarantined } from './attention-facts.ts'
import { type DemandPorts, readDemands } from './demands.ts'

/** Features whose items are omitted without the right to read them. */
const ITEM_FEATURES = ['device', 'power_meter_alarm', 'electricity'] as const

const NO_DEVICES = { hubs: [], devices: [], statusOf: () => undefined }

/** Lists everything that needs attention, by the shared rule, as far as the person may see it. */
export const createListAttention =
  (ports: DemandPorts): Handler<typeof attention.listAttention> =>
  async ({ HomeID }, { db, actor, clock }) => {
    const { tenant } = actor
    if (HomeID !== undefined) await findHome(db, tenant, HomeID)
    const now = clock.now()
    const scope = { tenant, HomeID }
    const canRead = (feature: (typeof ITEM_FEATURES)[number]) => may(actor, feature, 'Read')
    const [devices, alarms, maintenances, quarantined, demands] = await Promise.all([
      canRead('device') ? readDevices(db, scope, now) : NO_DEVICES,
      readCurrentAlarms(db, scope, isVisibleTo(actor), now),
      readMaintenances(db, scope, now),
      canRead('electricity') ? readQuarantined(db, scope) : [],
      canRead('electricity')
        ? readDemands(db, ports, { ...scope, seesRules: canRead('power_meter_alarm') }, now)
        : [],
    ])
    const homes = canRead('device')
      ? [...new Set([...devices.devices, ...devices.hubs, ...alarms].map((item) => item.HomeID))]
      : []
    const { Items, ...summary } = attentionOf(
      { ...devices, alarms, maintenances, quarantined, demands, homes, connected: canRead('device') },
      now,
    )
    const count = (severity: Severity) => Items.filter(({ Severity }) => Severity === severity).length
    return {
      ...summary,
      Items: Items.slice(0, MAX_ATTENTION_ITEMS),
      Counts: { critical: count('critical'), warning: count('warning'), info: count('info') },
      AsOf: now,
      Without: ITEM_FEATURES.filter((feature) => !canRead(feature)),
    }
  }
