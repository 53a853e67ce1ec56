import { Button, Form, Select } from 'antd'
import { useState, type FC } from 'react'
import { hubCredentials } from '../../../contract/devices/hub-credential-calls.ts'
import { Thing, thing, type ThingWithState } from '../../../contract/devices/thing.ts'
import { formatAge } from '../../lib/format-age.ts'
import { pathTo } from '../../navigation/paths.ts'
import { call } from '../../data/api.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { describeFailure } from '../../data/failure.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { FollowedConflict } from '../../record-kit/followed-conflict.tsx'
import { RecordForm } from '../../record-kit/record-form.tsx'
import { useTrackedRecord } from '../../record-kit/use-tracked-record.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { confirm } from '../../ui/page/dialogs.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { HubCredentials } from '../../domain/devices/hub-credentials/hub-credentials.tsx'
import { DeviceLabel } from '../../domain/devices/label/device-label.tsx'
import { FirmwareSection } from '../../domain/ota/firmware-section.tsx'
import { HubBack } from './hub-back.tsx'
import { MaintenanceSection } from './maintenance-section.tsx'
import { ReportFaults } from './report-faults.tsx'
import { UnmappedTopics } from './unmapped-topics.tsx'
import page from '../../ui/page/page.module.css'
import styles from './device-panel.module.css'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'

interface Props {
  hub: Thing
  /** Devices that are removed with it; undefined while they load. */
  devices: readonly Peripheral[] | undefined
  removed: () => void
}

/** Removes a hub with its devices, after showing what is deleted with it and what depends on it. */
export const RemoveHub: FC<Props> = ({ hub: { HomeID, ThingName, DeviceName }, devices, removed }) => {
  const t = useT()
  const consequence = (
    <>
      <p>{t('devices:hub.removeNote', { count: devices?.length ?? 0 })}</p>
      <LazyUsersWarning
        kind="hub"
        of={(devices ?? []).map(({ PeripheralUID }) => ({ HomeID, Subject: 'device', ID: PeripheralUID }))}
      />
    </>
  )
  const remove = async () => {
    await call(thing.operations.remove, { HomeID, ThingName })
    removed()
  }
  return (
    <Button
      danger
      disabled={!devices}
      onClick={() => confirmRemoval({ name: DeviceName, consequence, remove })}
    >
      {t('devices:hub.remove')}
    </Button>
  )
}

export const HubPanel: FC<{ hub: ThingWithState; removed: () => void }> = ({ hub, removed }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const [form] = Form.useForm()
  const [secret, setSecret] = useState<string>()
  const may = { update: useMay('device', 'Update'), remove: useMay('device', 'Delete') }
  const rooms = useHomes()?.find(({ HomeID }) => HomeID === hub.HomeID)?.RoomList ?? []
  const devices = useDevices(hub.HomeID).data?.Peripherals.filter(
    ({ ThingName }) => ThingName === hub.ThingName,
  )
  const key = { HomeID: hub.HomeID, ThingName: hub.ThingName }
  const nameOfRoom = (id: number) => rooms.find(({ RoomID }) => RoomID === id)?.RoomName ?? ''
  const roomName = nameOfRoom(hub.RoomID)
  const labelPath = `${pathTo('DeviceList', { HomeID: hub.HomeID })}?${new URLSearchParams({ device: hub.ThingName })}`

  const followed = useTrackedRecord<ThingWithState>({
    record: may.update ? hub : undefined,
    parts: [['DeviceName'], ['RoomID']],
    read: () => form.getFieldsValue() as Partial<ThingWithState>,
    write: (remote, names) =>
      form.setFieldsValue(Object.fromEntries(names.map((name) => [name, remote[name]]))),
  })
  const submit = async () => {
    const { changed, seen } = followed.changes()
    const saved = await followed.save(() => call(thing.operations.update, { ...key, ...changed, Seen: seen }))
    if (saved) notices.success(() => t('screens:updated'))
  }

  const rotate = () =>
    confirm({
      title: t('devices:hub.rotateTitle', { name: hub.DeviceName }),
      content: t('devices:hub.rotateNote'),
      okText: t('devices:hub.rotate'),
      cancelText: t('screens:cancel'),
      okButtonProps: { danger: true },
      onOk: async () => {
        try {
          setSecret((await call(hubCredentials.rotateThingSecret, key)).Secret)
        } catch (error) {
          notices.error(() => describeFailure(error))
        }
      },
    })

  return (
    <>
      <div className={styles.head}>
        <StateTag tone={hub.Online ? 'good' : 'offline'}>
          {t(hub.Online ? 'devices:state.online' : 'devices:state.offline')}
        </StateTag>
        <span>
          {hub.SeenAt === null
            ? t('devices:hub.neverSeen')
            : t('devices:hub.seen', { age: formatAge(hub.SeenAt, now, language) })}
        </span>
        <DeviceLabel path={labelPath} name={hub.DeviceName} place={roomName} id={hub.ThingName} />
      </div>
      {!hub.Online && <HubBack hub={hub} />}
      <ReportFaults homeId={hub.HomeID} thingName={hub.ThingName} devices={devices} />
      <section className={`${page.section} ${styles.section}`}>
        <dl className={styles.facts}>
          <dt>{t('devices:hub.thingName')}</dt>
          <dd>{hub.ThingName}</dd>
          <dt>{t('devices:hub.devices')}</dt>
          <dd>{devices?.length ?? '–'}</dd>
        </dl>
      </section>
      <UnmappedTopics homeId={hub.HomeID} thingName={hub.ThingName} />
      <MaintenanceSection homeId={hub.HomeID} thingName={hub.ThingName} peripheralUid={null} />
      {secret && (
        <section className={`${page.section} ${styles.section}`}>
          <HubCredentials thingName={hub.ThingName} homeId={hub.HomeID} secret={secret} />
        </section>
      )}
      {may.update && (
        <section className={`${page.section} ${styles.section}`}>
          <h2>{t('devices:settings.title')}</h2>
          <RecordForm
            resource="thing"
            schema={Thing}
            form={form}
            initial={hub}
            fields={[
              'DeviceName',
              {
                name: 'RoomID',
                input: (
                  <Select
                    options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))}
                  />
                ),
              },
            ]}
            submit={submit}
          >
            <FollowedConflict
              tracked={followed}
              record={hub}
              words={[
                { label: t('resources:thing.fields.DeviceName'), of: ({ DeviceName }) => DeviceName },
                { label: t('resources:thing.fields.RoomID'), of: ({ RoomID }) => nameOfRoom(RoomID) },
              ]}
            />
            <Button type="primary" htmlType="submit" disabled={followed.conflicting.length > 0}>
              {t('screens:save')}
            </Button>
          </RecordForm>
        </section>
      )}
      <FirmwareSection homeId={hub.HomeID} thingName={hub.ThingName} peripheralUid={null} />
      <div className={styles.danger}>
        {may.update && <Button onClick={rotate}>{t('devices:hub.rotate')}</Button>}{' '}
        {may.remove && <RemoveHub hub={hub} devices={devices} removed={removed} />}
      </div>
    </>
  )
}
