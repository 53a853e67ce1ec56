import { z } from 'zod'
import { DeviceStatus, ReportedPeripheral } from '../device-kinds/status.ts'
import { right } from '../features.ts'
import { defineChannel } from '../kernel/define-channel.ts'
import { ThingName } from '../kernel/scalars.ts'

const statusRead = right('device', 'Read')
const Statuses = z.object({ Peripherals: z.array(DeviceStatus) })

/** A screen asks for the full status of a home: the gateway answers on `status`, and asks the hubs for theirs. */
export const statusAsk = defineChannel({
  template: '{rootId}/{homeId}/status/ask',
  summary: 'Asks the gateway for the status of every device of a home.',
  publishers: ['screen'],
  subscribers: [],
  access: statusRead,
  payload: z.object({ Timestamp: z.number() }),
})

/** The gateway asks the hubs of a home to report afresh. Of a topic of its own, so that no screen ever speaks to a hub. */
export const statusRequest = defineChannel({
  template: '{rootId}/{homeId}/status/request',
  summary: 'Asks hubs for the status of every device of a home.',
  publishers: ['gateway'],
  subscribers: ['hub'],
  access: statusRead,
  payload: z.object({ Timestamp: z.number() }),
})

/** Most devices in one report. */
export const MAX_REPORTED = 1000

/** What a hub reports; Timestamp is the default for devices without one of their own. */
export const statusReport = defineChannel({
  template: '{rootId}/{homeId}/status/report',
  summary: 'States of devices as their hub sees them, acknowledged after they are stored.',
  publishers: ['hub'],
  subscribers: [],
  access: statusRead,
  payload: z.object({
    ThingName,
    Timestamp: z.number(),
    Peripherals: z.array(ReportedPeripheral).max(MAX_REPORTED),
  }),
})

export const status = defineChannel({
  template: '{rootId}/{homeId}/status',
  summary: 'Full answer to a status request, in parts of at most 200 devices.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: statusRead,
  payload: Statuses,
})

export const statusChange = defineChannel({
  template: '{rootId}/{homeId}/statusChange',
  summary: 'Devices whose state changed: already parsed, ordered and merged.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: statusRead,
  qos: 0,
  payload: Statuses,
})
