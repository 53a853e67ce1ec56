import { useQuery } from '@tanstack/react-query'
import type { FC } from 'react'
import { peripheralCalls } from '../../../contract/devices/peripheral.ts'
import type { Room } from '../../../contract/homes/room.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { callQuery } from '../../data/api.ts'
import { HubWizard } from '../hub-wizard/hub-wizard.tsx'
import { AwaitedHubs } from './awaited-hubs.tsx'

interface Props {
  homeId: string
  rooms: readonly Room[]
  hubs: readonly ThingWithState[]
  /** Goes on to the hub's devices. */
  next: (thingName: string) => void
  toCameras: () => void
}

/** Connects a hub, step by step; below it those that somebody added and never connected. */
export const AddHub: FC<Props> = ({ homeId, rooms, hubs, next, toCameras }) => {
  const { data: found = [] } = useQuery(callQuery(peripheralCalls.listDiscovered, { HomeID: homeId }))
  return (
    <HubWizard
      homeId={homeId}
      rooms={rooms}
      hubs={hubs}
      foundOf={(thingName) => found.filter(({ ThingName }) => ThingName === thingName).length}
      next={next}
      toCameras={toCameras}
    >
      <AwaitedHubs homeId={homeId} hubs={hubs.filter(({ SeenAt }) => SeenAt === null)} />
    </HubWizard>
  )
}
