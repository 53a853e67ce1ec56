import { useMemo, type FC } from 'react'
import { Link } from 'react-router'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { deviceRows, type DeviceRow } from '../../domain/devices/device-rows.ts'
import { RowIcon } from '../../domain/devices/kind-name.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'
import { EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { type RoomCommand, type RoomStore, useRoom } from './room-store.ts'
import { RoomBookingList } from './room-bookings.tsx'
import { RoomCommands } from './room-commands.tsx'
import { RoomFactList } from './room-facts.tsx'
import { RoomRun } from './room-run.tsx'
import { RoomState } from './room-wall.tsx'
import type { RoomBookings as Booked } from './use-room-bookings.ts'
import { useRoomWords } from './use-room-words.ts'
import { Drawer } from '../../ui/page/dialog.tsx'
import { applies } from '../../../contract/devices/capabilities/capability.ts'
import { summaryFields } from '../../../contract/devices/kinds/field-shape.ts'
import { reportsNothing } from '../../../contract/devices/kinds/registry.ts'
import { isSilent } from '../../../contract/devices/device-health.ts'
import { useStatus } from '../../data/status-store.ts'
import { useDeviceFieldWords } from '../../domain/devices/field-words.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { CaretRightOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { scene, type Scene } from '../../../contract/automation/scene.ts'
import { callQuery } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { runScene } from '../../live/run-scene.ts'
import { useNoControl } from '../../ui/inputs/no-control.ts'

interface Props {
  HomeID: string
  RoomID: number
  /** Undefined for a room that does not exist. */
  name: string | undefined
  store: RoomStore
  booked: Booked | undefined
  /** Last command to the whole room since the page was opened. */
  startedCommand: RoomCommand | undefined
  onStart: (command: RoomCommand) => void
  close: () => void
}

/** Drawer of one room: from the right on wide screens, from below on phones. */
const RoomDrawer: FC<Props> = ({ name, close, ...shown }) => {
  const t = useT()
  return (
    <Drawer focusAtFirst="dialog" open onClose={close} title={name ?? ''}>
      {name === undefined ? (
        <EmptyState message={t('building:goneRoom')} />
      ) : (
        <RoomInside name={name} {...shown} />
      )}
    </Drawer>
  )
}
export default RoomDrawer

type InsideProps = Omit<Props, 'name' | 'close'> & { name: string }

function RoomInside({ HomeID, RoomID, name, store, booked, startedCommand, onStart }: InsideProps) {
  const t = useT()
  const now = useNow()
  const { data } = useDevices(HomeID)
  const may = useMay('device_control', 'Control')
  const room = useRoom(store, RoomID)
  const words = useRoomWords()(room, booked, now)
  const devices = useMemo(
    () => data?.Peripherals.filter((device) => device.RoomID === RoomID) ?? [],
    [data, RoomID],
  )
  const inside = useMemo(() => new Set(devices.map(({ PeripheralUID }) => PeripheralUID)), [devices])
  return (
    <div className={page.stack}>
      <div className={page.row}>
        <RoomState state={room?.state ?? 'bare'} words={words.state} />
        {room && room.knownCount < room.watchedCount && (
          <small>{t('building:knownOf', { known: room.knownCount, watched: room.watchedCount })}</small>
        )}
      </div>
      {room && (
        <RoomFactList HomeID={HomeID} RoomID={RoomID} room={room} words={words} devices={devices} now={now} />
      )}
      <div className={page.stack} data-tour="room">
        {may ? (
          <RoomCommands HomeID={HomeID} RoomID={RoomID} name={name} devices={devices} onStart={onStart} />
        ) : (
          <p className={page.note}>{t('building:noRight')}</p>
        )}
        {startedCommand && (
          <RoomRun HomeID={HomeID} startedCommand={startedCommand} devices={devices} follow={onStart} />
        )}
      </div>
      <RoomScenes HomeID={HomeID} RoomID={RoomID} inside={inside} onStart={onStart} />
      {booked && <RoomBookingList booked={booked} now={now} />}
      <RoomDeviceList HomeID={HomeID} RoomID={RoomID} />
    </div>
  )
}

/** Devices and hubs in the room with their states; a name opens its panel in the device list. */
function RoomDeviceList({ HomeID, RoomID }: { HomeID: string; RoomID: number }) {
  const t = useT()
  const { data } = useDevices(HomeID)
  const rows = useMemo(
    () => (data ? deviceRows(data).filter((row) => row.RoomID === RoomID) : []),
    [data, RoomID],
  )
  const list = pathTo('RoomDevice', { HomeID, RoomID })
  return (
    <section className={page.tightStack} aria-label={t('building:devices')}>
      <h3 className={page.hint}>{t('building:devices')}</h3>
      {rows.length === 0 && <p className={page.note}>{t('building:states.bare')}</p>}
      <ul className={`${page.rows} ${page.spreadRows}`}>
        {rows.map((row) => (
          <li key={row.id}>
            <span className={page.tightRow}>
              <RowIcon row={row} />
              <Link className={page.touch ?? ''} to={`${list}?device=${encodeURIComponent(row.id)}`}>
                {row.name}
              </Link>
            </span>
            <DeviceState row={row} />
          </li>
        ))}
      </ul>
      <Link className={page.touch ?? ''} to={list}>
        {t('building:allDevices')}
      </Link>
    </section>
  )
}

/** Present state of a device or hub, in one line. */
function DeviceState({ row: { id, hub, device, type } }: { row: DeviceRow }) {
  const t = useT()
  const now = useNow()
  const status = useStatus(id)
  const { valueOf } = useDeviceFieldWords()
  if (!device)
    return (
      <StateTag tone={hub?.Online ? 'good' : 'offline'}>
        {t(hub?.Online ? 'devices:state.online' : 'devices:state.offline')}
      </StateTag>
    )
  if (hub?.Online === false) return <StateTag tone="offline">{t('devices:freshness.offline')}</StateTag>
  if (!status)
    return reportsNothing(type) ? null : <StateTag tone="offline">{t('devices:state.noData')}</StateTag>
  if (isSilent(device, status.Timestamp, now))
    return <StateTag tone="offline">{t('devices:state.silent')}</StateTag>
  const words = (type?.capabilities ?? [])
    .filter((capability) => applies(capability, status))
    .flatMap((capability) =>
      summaryFields(capability).map((field) => valueOf(capability, field, status[field])),
    )
    .filter((value) => value !== undefined)
  return <span>{words.join(' · ')}</span>
}

interface RoomScenesProps {
  HomeID: string
  RoomID: number
  /** PeripheralUIDs in the room. */
  inside: ReadonlySet<string>
  onStart: (command: RoomCommand) => void
}

/** Scenes that affect the room or something in it, each with a run button. */
export function RoomScenes({ HomeID, RoomID, inside, onStart }: RoomScenesProps) {
  const t = useT()
  const reason = useNoControl()
  const enabled = useMay('scene', 'Read')
  const may = useMay('device_control', 'Control')
  const { data } = useQuery({ ...callQuery(scene.operations.list, { HomeID }), enabled })
  const running = useAction(({ SceneID }: Pick<Scene, 'SceneID'>) => runScene(HomeID, SceneID))
  const roomScenes = data?.filter(({ Actions }) =>
    Actions.some(
      (action) =>
        action.RoomID === RoomID || (action.PeripheralUID !== undefined && inside.has(action.PeripheralUID)),
    ),
  )
  if (!may || !roomScenes || roomScenes.length === 0) return null
  const run = async ({ SceneID, SceneName }: Pick<Scene, 'SceneID' | 'SceneName'>) => {
    const RunID = await running.run({ SceneID })
    if (RunID !== undefined) onStart({ RunID, description: SceneName })
  }
  return (
    <section className={page.tightStack} aria-label={t('building:scenes')}>
      <h3 className={page.hint}>{t('building:scenes')}</h3>
      <div className={page.buttons}>
        {roomScenes.map((ownScene) => (
          <Button
            key={ownScene.SceneID}
            icon={<CaretRightOutlined />}
            disabled={running.busy || reason !== undefined}
            title={reason}
            aria-label={t('building:runScene', { name: ownScene.SceneName })}
            onClick={() => void run(ownScene)}
          >
            {ownScene.SceneName}
          </Button>
        ))}
      </div>
    </section>
  )
}
