import { Button, Form, Select, Alert, Spin } from 'antd'
import { useState, type FC } from 'react'
import { useQuery } from '@tanstack/react-query'
import { hubCredentials } from '../../../contract/devices/hub-credential-calls.ts'
import { Thing, thing, type ThingWithState } from '../../../contract/devices/thing.ts'
import { formatAge } from '../../lib/format-age.ts'
import { pathTo } from '../../navigation/paths.ts'
import { call, callQuery } from '../../data/api.ts'
import { useDevices, useHomes, useTimeZone } from '../../data/homes.ts'
import { describeFailure } from '../../data/failure.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { FollowedConflict } from '../../record-kit/record-conflict.tsx'
import { RecordForm } from '../../record-kit/record-form.tsx'
import { useTrackedRecord } from '../../record-kit/use-tracked-record.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { confirm } from '../../ui/page/dialogs.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { HubCredentials } from '../../domain/devices/hub-credentials/hub-credentials.tsx'
import { DeviceLabel } from '../../domain/devices/label/device-label.tsx'
import { FirmwareSection } from '../../domain/ota/firmware-section.tsx'
import { MaintenanceSection } from './maintenance-section.tsx'
import { ReportFaults, NotLoaded } from './report-faults.tsx'
import { UnmappedTopics } from './unmapped-topics.tsx'
import page from '../../ui/page/page.module.css'
import styles from './device-panel.module.css'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import { setup } from '../../../contract/setup/calls.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'

/** Polling interval while the user works on the hub. */
const REFETCH_INTERVAL_MS = 15_000
/** Checks to make at the hub, in order. */
const CHECKS = ['power', 'network', 'clock', 'secret'] as const

/** Help for reconnecting an offline hub: last connection, reasons of rejected attempts, and checks. */
export const HubBack: FC<{ hub: ThingWithState }> = ({ hub: { HomeID, ThingName, SeenAt } }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const zone = useTimeZone(HomeID)
  const query = useQuery({
    ...callQuery(setup.getHubTrouble, { HomeID, ThingName }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const formatTime = (at: number) => formatWhen(at, language, zone)
  const { data } = query
  return (
    <section className={`${page.section} ${page.tightStack}`} aria-labelledby="hub-back">
      <h2 id="hub-back">{t(SeenAt === null ? 'devices:hubBack.first' : 'devices:hubBack.title')}</h2>
      <dl className={page.facts}>
        {SeenAt !== null && (
          <>
            <dt>{t('devices:hubBack.heard')}</dt>
            <dd title={formatTime(SeenAt)}>{formatAge(SeenAt, now, language, zone)}</dd>
          </>
        )}
        {data && (
          <>
            <dt>{t('devices:hubBack.address')}</dt>
            <dd>{data.Address ?? t('devices:hubBack.noAddress', { when: formatTime(data.Since) })}</dd>
          </>
        )}
      </dl>
      {query.isPending && <Spin size="small" />}
      {query.error && !data && <NotLoaded query={query} />}
      {data && (
        <Alert
          type={data.Refused ? 'warning' : 'info'}
          showIcon
          message={
            data.Refused
              ? t(`devices:hubBack.refused.${data.Refused.Reason}`, {
                  count: data.Refused.Count,
                  from: data.Refused.From ?? t('devices:hubBack.somewhere'),
                  when: formatTime(data.Refused.Timestamp),
                })
              : t('devices:hubBack.notRefused')
          }
        />
      )}
      <ol className={styles.steps}>
        {CHECKS.map((check) => (
          <li key={check}>
            <b>{t(`devices:hubBack.checks.${check}.name`)}</b> {t(`devices:hubBack.checks.${check}.text`)}
          </li>
        ))}
      </ol>
      <p className={page.note}>{t('devices:hubBack.then')}</p>
    </section>
  )
}

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

  const tracked = useTrackedRecord<ThingWithState>({
    record: may.update ? hub : undefined,
    parts: [['DeviceName'], ['RoomID']],
    read: () => form.getFieldsValue() as Partial<ThingWithState>,
    write: (remote, names) =>
      form.setFieldsValue(Object.fromEntries(names.map((name) => [name, remote[name]]))),
  })
  const submit = async () => {
    const { changed, seen } = tracked.changes()
    const saved = await tracked.save(() => call(thing.operations.update, { ...key, ...changed, Seen: seen }))
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
      <div className={`${page.row} ${page.muted}`}>
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
      <section className={page.section}>
        <dl className={page.facts}>
          <dt>{t('devices:hub.thingName')}</dt>
          <dd>{hub.ThingName}</dd>
          <dt>{t('devices:hub.devices')}</dt>
          <dd>{devices?.length ?? '–'}</dd>
        </dl>
      </section>
      <UnmappedTopics homeId={hub.HomeID} thingName={hub.ThingName} />
      <MaintenanceSection homeId={hub.HomeID} thingName={hub.ThingName} peripheralUid={null} />
      {secret && (
        <section className={page.section}>
          <HubCredentials thingName={hub.ThingName} homeId={hub.HomeID} secret={secret} />
        </section>
      )}
      {may.update && (
        <section className={page.section}>
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
              tracked={tracked}
              record={hub}
              words={[
                { label: t('resources:thing.fields.DeviceName'), of: ({ DeviceName }) => DeviceName },
                { label: t('resources:thing.fields.RoomID'), of: ({ RoomID }) => nameOfRoom(RoomID) },
              ]}
            />
            <Button type="primary" htmlType="submit" disabled={tracked.conflicting.length > 0}>
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
