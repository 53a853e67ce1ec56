import { useQuery } from '@tanstack/react-query'
import { Button, Select, Steps } from 'antd'
import { useState, type FC } from 'react'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import {
  MAX_ADDED_AT_ONCE,
  peripheral,
  peripheralCalls,
  type DiscoveredPeripheral,
} from '../../../contract/devices/peripheral.ts'
import type { Room } from '../../../contract/homes/room.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { matchesAllWords } from '../../lib/match-words.ts'
import { callQuery } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { LOCAL_DEBOUNCE_MS, SearchBox } from '../../ui/inputs/search-box.tsx'
import { addDevices, type AddResult, AddedDevices } from './added-devices.tsx'
import { useParentChoices, DescribeDevices, type Description, ChooseDevices } from './found-devices.tsx'
import page from '../../ui/page/page.module.css'
import styles from './add-device.module.css'

/** Normalized name for comparison: ignores case, blanks and separators. */
const bare = (text: string) => text.toLowerCase().replace(/[\s\-_.·/]+/g, '')

/** Room named in the device's name; of several the one with the longest name, never the default room. */
export function proposeRoom(deviceName: string, rooms: readonly Room[]): number | undefined {
  const name = bare(deviceName)
  const [longestRoom] = rooms
    .filter(({ RoomID, RoomName }) => RoomID !== 0 && bare(RoomName) !== '' && name.includes(bare(RoomName)))
    .toSorted((a, b) => bare(b.RoomName).length - bare(a.RoomName).length)
  return longestRoom?.RoomID
}

interface Props {
  homeId: string
  rooms: readonly Room[]
  hubs: readonly ThingWithState[]
  /** The hub whose devices are shown; undefined for all. */
  hub: string | undefined
  choose: (thingName: string | undefined) => void
  search: string
  searchFor: (text: string) => void
}

const STEPS = ['choose', 'describe', 'done'] as const

/** Adds announced devices: select at most 8, enter names and rooms, see the outcome of each. */
export const AddFound: FC<Props> = ({ homeId, rooms, hubs, hub, choose, search, searchFor }) => {
  const t = useT()
  const query = useQuery(callQuery(peripheralCalls.listDiscovered, { HomeID: homeId }))
  const [step, setStep] = useState(0)
  const [selectedUids, setSelectedUids] = useState<ReadonlySet<string>>(new Set())
  /** Devices of the second step. One that another user adds meanwhile stays, and the gateway rejects it by name. */
  const [pickedDevices, setPickedDevices] = useState<readonly DiscoveredPeripheral[]>([])
  const [descriptions, setDescriptions] = useState<Readonly<Record<string, Description>>>({})
  const [outcomes, setOutcomes] = useState<readonly AddResult[]>([])
  const { compare } = new Intl.Collator(useLanguage(), { numeric: true })
  const discovered = (query.data ?? [])
    .filter(({ PeripheralType }) => !deviceType(PeripheralType)?.hidden)
    .sort((a, b) => compare(a.PeripheralName, b.PeripheralName))
  const ofHub = hub ? discovered.filter(({ ThingName }) => ThingName === hub) : discovered
  const matchesSearch = matchesAllWords(search)
  const shownDevices = ofHub.filter(({ PeripheralName, PeripheralUID, PeripheralType }) => {
    const kind = t(`devices:kinds.${deviceType(PeripheralType)?.kind ?? 'other'}`)
    return matchesSearch(`${PeripheralName}\n${PeripheralUID}\n${kind}`)
  })
  const marked = discovered.filter(({ PeripheralUID }) => selectedUids.has(PeripheralUID))

  /** Entered values; by default the room named in the device's name, else the room of its hub. */
  const descriptionOf = ({ PeripheralUID, PeripheralName, ThingName }: DiscoveredPeripheral): Description =>
    descriptions[PeripheralUID] ?? {
      PeripheralName,
      RoomID:
        proposeRoom(PeripheralName, rooms) ??
        hubs.find((candidate) => candidate.ThingName === ThingName)?.RoomID ??
        0,
    }
  const described = pickedDevices.map((device) => ({ ...device, ...descriptionOf(device) }))
  const parents = useParentChoices(homeId, described)
  const invalid = described.some(
    ({ PeripheralUID, PeripheralName, ParentMeter }) =>
      (parents.has(PeripheralUID) && ParentMeter === undefined) ||
      reasonFor(peripheral.record.shape.PeripheralName, PeripheralName) !== undefined,
  )

  const add = useAction(async (devices: readonly DiscoveredPeripheral[]) => {
    const ends = await addDevices(
      homeId,
      devices.map((device) => ({ PeripheralUID: device.PeripheralUID, ...descriptionOf(device) })),
    )
    setOutcomes(ends)
    // Failed devices stay selected with their values for another attempt.
    setSelectedUids(new Set(ends.flatMap(({ PeripheralUID, problem }) => (problem ? [PeripheralUID] : []))))
    setStep(2)
  })

  if (!query.data)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <ListSkeleton rows={4} />
    )
  return (
    <>
      <Steps
        size="small"
        responsive={false}
        labelPlacement="vertical"
        current={step}
        className={styles.steps}
        items={STEPS.map((name) => ({ title: t(`screens:addDevice.steps.${name}`) }))}
      />
      {step === 0 && (
        <>
          <p className={`${page.note} ${page.below12}`}>{t('screens:addDevice.foundNote')}</p>
          <div className={`${page.tightRow} ${page.below8}`}>
            <Select
              className={page.grow}
              value={hub ?? ''}
              onChange={(value) => choose(value || undefined)}
              aria-label={t('screens:addDevice.ofHub')}
              options={[
                { value: '', label: t('screens:addDevice.allHubs') },
                ...hubs.map(({ ThingName, DeviceName, Online }) => ({
                  value: ThingName,
                  label: `${DeviceName} · ${t(Online ? 'devices:state.online' : 'devices:state.offline')}`,
                })),
              ]}
            />
            <Button onClick={() => void query.refetch()} loading={query.isFetching}>
              {t('screens:refresh')}
            </Button>
          </div>
          {(ofHub.length > MAX_ADDED_AT_ONCE || search !== '') && (
            <SearchBox
              className={page.below8}
              value={search}
              label={t('screens:devices.search')}
              pause={LOCAL_DEBOUNCE_MS}
              search={searchFor}
            />
          )}
          <ChooseDevices
            discovered={shownDevices}
            emptyText={t(ofHub.length > 0 ? 'screens:devices.noMatch' : 'screens:addDevice.noneFound')}
            hubs={hubs}
            selectedUids={new Set(marked.map(({ PeripheralUID }) => PeripheralUID))}
            change={setSelectedUids}
            next={() => {
              setPickedDevices(marked)
              setStep(1)
            }}
          />
        </>
      )}
      {step === 1 && (
        <DescribeDevices
          devices={described}
          rooms={rooms}
          parents={parents}
          change={(uid, description) => setDescriptions({ ...descriptions, [uid]: description })}
          busy={add.busy}
          invalid={invalid || pickedDevices.length === 0}
          back={() => setStep(0)}
          add={() => void add.run(pickedDevices)}
        />
      )}
      {step === 2 && <AddedDevices homeId={homeId} outcomes={outcomes} onAddMore={() => setStep(0)} />}
    </>
  )
}
