import { z } from 'zod'
import { DeviceStatus, ReportedPeripheral } from '../kinds/status.ts'
import { right } from '../../kernel/permissions.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { ThingName } from '../../kernel/scalars.ts'

const statusRead = right('device', 'Read')
const Statuses = z.object({ Peripherals: z.array(DeviceStatus) })

/** Request for the full status of a home: the gateway answers on `status`, hubs send new reports. */
export const statusRequest = defineChannel({
  template: '{rootId}/{homeId}/status/request',
  summary: 'Requests the status of every device of a home.',
  publishers: ['screen', 'gateway'],
  subscribers: ['hub'],
  access: statusRead,
  payload: z.object({ Timestamp: z.number() }),
})

export const MAX_REPORTED = 1000

/** Status report of a hub; Timestamp is the default for devices without their own. */
export const statusReport = defineChannel({
  template: '{rootId}/{homeId}/status/report',
  summary: 'Statuses that a hub reports of its devices; acknowledged after they are stored.',
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
  summary: 'Changed statuses of devices, parsed, ordered and merged.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: statusRead,
  qos: 0,
  payload: Statuses,
})
