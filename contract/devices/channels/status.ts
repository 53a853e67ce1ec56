import { z } from 'zod'
import { topics } from '../../channels/table.ts'
import { DeviceStatus, ReportedPeripheral } from '../kinds/status.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { ThingName } from '../../kernel/scalars.ts'

const Statuses = z.object({ Peripherals: z.array(DeviceStatus) })

/** Request for the full status of a home: the gateway answers on `status`, hubs send new reports. */
export const statusRequest = defineChannel(topics.statusRequest, z.object({ Timestamp: z.number() }))

export const MAX_REPORTED = 1000

/** Status report of a hub; Timestamp is the default for devices without their own. */
export const statusReport = defineChannel(
  topics.statusReport,
  z.object({
    ThingName,
    Timestamp: z.number(),
    Peripherals: z.array(ReportedPeripheral).max(MAX_REPORTED),
  }),
)

export const status = defineChannel(topics.status, Statuses)

export const statusChange = defineChannel(topics.statusChange, Statuses)
