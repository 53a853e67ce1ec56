import type { QueryClient } from '@tanstack/react-query'
import type { otaResponse } from '../../contract/devices/channels/ota.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { ota, type OtaJob, type OtaOverview, type OtaUpdate } from '../../contract/devices/ota-calls.ts'

export type OtaResponse = PayloadOf<typeof otaResponse>

const keyOf = ({ ThingName, PeripheralUID }: Pick<OtaUpdate, 'ThingName' | 'PeripheralUID'>) =>
  `${ThingName}/${PeripheralUID ?? ''}`

/** What a message about firmware updates does to a home's overview. Pure; the same message twice changes nothing more. */
export function applyOta(overview: OtaOverview, { Job, Updates }: OtaResponse): OtaOverview {
  const moved = new Map(Updates.map((update) => [keyOf(update), update]))
  return {
    ...overview,
    Jobs: Job ? putJob(overview.Jobs, Job) : overview.Jobs,
    Devices: moved.size
      ? overview.Devices.map((device) => {
          const update = moved.get(keyOf(device))
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

/** Puts a message into whatever the screen holds of it. */
export function receiveOta(client: QueryClient, homeId: string, response: OtaResponse): void {
  client.setQueryData<OtaOverview>([ota.getAllOta.path, { HomeID: homeId }], (held) =>
    held ? applyOta(held, response) : held,
  )
  const moved = new Map(response.Updates.map((update) => [`${update.OtaJobID}/${keyOf(update)}`, update]))
  client.setQueriesData<OtaUpdate[]>({ queryKey: [ota.listOtaUpdate.path] }, (held) =>
    held?.map((update) => moved.get(`${update.OtaJobID}/${keyOf(update)}`) ?? update),
  )
}

/** A hub came or went: it and the devices behind it can be reached or not, in whatever the screen holds of them. */
export function receiveHub(client: QueryClient, thingName: string, online: boolean): void {
  client.setQueriesData<OtaOverview>({ queryKey: [ota.getAllOta.path] }, (held) =>
    held?.Devices.some(({ ThingName, Online }) => ThingName === thingName && Online !== online)
      ? {
          ...held,
          Devices: held.Devices.map((device) =>
            device.ThingName === thingName ? { ...device, Online: online } : device,
          ),
        }
      : held,
  )
}
