import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Card, Checkbox, Input, Select } from 'antd'
import { useState, type FC } from 'react'
import { deviceType } from '../../../contract/device-kinds/registry.ts'
import { MAX_ADDED_AT_ONCE, peripheral, peripheralCalls } from '../../../contract/resources/peripheral.ts'
import type { Room } from '../../../contract/resources/room.ts'
import { call, callQuery } from '../../providers/api.ts'
import { describeFailure, describeField } from '../../providers/failure.ts'
import { useT } from '../../providers/i18n.ts'
import { reasonFor } from '../../ui/crud/field-rules.ts'
import { refreshAfter } from '../../ui/crud/refresh-after.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/crud/states.tsx'
import styles from './add-device.module.css'
import { useDevices } from '../../providers/homes.ts'

interface Outcome {
  name: string
  /** Why it was not added; undefined when it was. */
  problem: string | undefined
}

/** Devices that hubs announced: choose at most 8, name them, put them into a room. */
export const AddFound: FC<{ homeId: string; rooms: readonly Room[] }> = ({ homeId, rooms }) => {
  const t = useT()
  const query = useQuery({ ...callQuery(peripheralCalls.listDiscovered, { HomeID: homeId }), staleTime: 0 })
  const hubs = useDevices(homeId).data?.Things
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const [room, setRoom] = useState(0)
  const [busy, setBusy] = useState(false)
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const found = query.data ?? []
  const full = chosen.size >= MAX_ADDED_AT_ONCE
  const nameOf = (device: (typeof found)[number]) => names[device.PeripheralUID] ?? device.PeripheralName

  const toggle = (uid: string) => {
    const next = new Set(chosen)
    if (!next.delete(uid)) next.add(uid)
    setChosen(next)
  }

  /** One by one would be eight answers; one call answers for all, and when it fails each is tried to say which one is at fault. */
  const add = async () => {
    const picked = found
      .filter((device) => chosen.has(device.PeripheralUID))
      .map((device) => ({ PeripheralUID: device.PeripheralUID, PeripheralName: nameOf(device) }))
    const send = (Peripherals: typeof picked) =>
      call(peripheral.operations.create, { HomeID: homeId, RoomID: room, Peripherals })
    setBusy(true)
    const results: Outcome[] = []
    try {
      await send(picked)
      for (const { PeripheralName } of picked) results.push({ name: PeripheralName, problem: undefined })
    } catch {
      for (const device of picked)
        try {
          await send([device])
          results.push({ name: device.PeripheralName, problem: undefined })
        } catch (error) {
          results.push({ name: device.PeripheralName, problem: describeFailure(error) })
        }
    }
    setOutcomes(results)
    setChosen(new Set())
    await refreshAfter('peripheral')
    setBusy(false)
  }

  const invalid = found.some(
    (device) =>
      chosen.has(device.PeripheralUID) &&
      reasonFor(peripheral.record.shape.PeripheralName, nameOf(device)) !== undefined,
  )

  return (
    <Card
      title={t('screens:addDevice.found')}
      extra={
        <Button onClick={() => void query.refetch()} loading={query.isFetching}>
          {t('screens:refresh')}
        </Button>
      }
    >
      <p className={styles.note}>{t('screens:addDevice.foundNote')}</p>
      {outcomes.map(({ name, problem }) => (
        <Alert
          key={name}
          style={{ marginBottom: 8 }}
          showIcon
          closable
          type={problem ? 'error' : 'success'}
          message={
            problem
              ? t('screens:addDevice.failed', { name, problem })
              : t('screens:addDevice.added', { name })
          }
        />
      ))}
      {!query.data ? (
        query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={4} />
        )
      ) : found.length === 0 ? (
        <Nothing why={t('screens:addDevice.noneFound')} />
      ) : (
        <>
          <ul className={styles.found}>
            {found.map((device) => {
              const { PeripheralUID } = device
              const checked = chosen.has(PeripheralUID)
              const reason = checked
                ? reasonFor(peripheral.record.shape.PeripheralName, nameOf(device))
                : undefined
              const type = deviceType(device.PeripheralType)
              return (
                <li key={PeripheralUID}>
                  <Checkbox
                    checked={checked}
                    disabled={!checked && full}
                    aria-label={device.PeripheralName}
                    onChange={() => toggle(PeripheralUID)}
                  />
                  <div className={styles.what}>
                    {t(type ? `devices:kinds.${type.kind}` : 'devices:kinds.other')}
                    <span>
                      {hubs?.find(({ ThingName }) => ThingName === device.ThingName)?.DeviceName ??
                        device.ThingName}
                      {' · '}
                      {PeripheralUID}
                    </span>
                  </div>
                  <div>
                    <Input
                      value={nameOf(device)}
                      maxLength={64}
                      disabled={!checked}
                      status={reason ? 'error' : ''}
                      aria-label={t('resources:peripheral.fields.PeripheralName')}
                      onChange={(event) => setNames({ ...names, [PeripheralUID]: event.target.value })}
                    />
                    {reason && <small role="alert">{describeField(reason)}</small>}
                  </div>
                </li>
              )
            })}
          </ul>
          <div className={styles.foot}>
            <span>
              {t('screens:addDevice.chosen', { count: chosen.size, most: MAX_ADDED_AT_ONCE })}
              {full && ` · ${t('screens:addDevice.most')}`}
            </span>
            <Select
              style={{ minWidth: 180 }}
              value={room}
              onChange={setRoom}
              aria-label={t('resources:peripheral.fields.RoomID')}
              options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))}
            />
            <Button
              type="primary"
              disabled={chosen.size === 0 || invalid}
              loading={busy}
              onClick={() => void add()}
            >
              {t('screens:addDevice.add')}
            </Button>
          </div>
        </>
      )}
    </Card>
  )
}
