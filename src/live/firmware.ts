import type { QueryClient } from '@tanstack/react-query'
import type { otaResponse } from '../../contract/devices/channels/ota.ts'
import { ota, type OtaJob, type OtaOverview, type OtaUpdate } from '../../contract/devices/ota-calls.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'

type OtaResponse = PayloadOf<typeof otaResponse>

const keyOf = ({ ThingName, PeripheralUID }: Pick<OtaUpdate, 'ThingName' | 'PeripheralUID'>) =>
  `${ThingName}/${PeripheralUID ?? ''}`

/** Applies a message about firmware updates to a home's overview. Pure and idempotent. */
export function applyOta(overview: OtaOverview, { Job, Updates }: OtaResponse): OtaOverview {
  const updates = new Map(Updates.map((update) => [keyOf(update), update]))
  return {
    ...overview,
    Jobs: Job ? putJob(overview.Jobs, Job) : overview.Jobs,
    Devices: updates.size
      ? overview.Devices.map((device) => {
          const update = updates.get(keyOf(device))
          if (!update || (device.Update && device.Update.RequestedAt > update.RequestedAt)) return device
          return {
            ...device,
            Update: update,
            ...(update.State === 'succeeded' && { FirmwareVersion: update.FirmwareVersion }),
          }
        })
      : overview.Devices,
  }
}

const putJob = (jobs: readonly OtaJob[], job: OtaJob): OtaJob[] =>
  jobs.some(({ OtaJobID }) => OtaJobID === job.OtaJobID)
    ? jobs.map((old) => (old.OtaJobID === job.OtaJobID ? job : old))
    : [job, ...jobs]

/** Applies a message about firmware updates to the cached overview and update lists. */
export function handleOtaResponse(client: QueryClient, homeId: string, response: OtaResponse): void {
  client.setQueryData<OtaOverview>([ota.getAllOta.path, { HomeID: homeId }], (overview) =>
    overview ? applyOta(overview, response) : overview,
  )
  const updates = new Map(response.Updates.map((update) => [`${update.OtaJobID}/${keyOf(update)}`, update]))
  client.setQueriesData<OtaUpdate[]>({ queryKey: [ota.listOtaUpdate.path] }, (list) =>
    list?.map((update) => updates.get(`${update.OtaJobID}/${keyOf(update)}`) ?? update),
  )
}

/** Updates the connection state of a hub and of the devices behind it in the cached firmware overviews. */
export function setHubOnlineInFirmware(client: QueryClient, thingName: string, online: boolean): void {
  client.setQueriesData<OtaOverview>({ queryKey: [ota.getAllOta.path] }, (overview) =>
    overview?.Devices.some(({ ThingName, Online }) => ThingName === thingName && Online !== online)
      ? {
          ...overview,
          Devices: overview.Devices.map((device) =>
            device.ThingName === thingName ? { ...device, Online: online } : device,
          ),
        }
      : overview,
  )
}
