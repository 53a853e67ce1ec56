import { ArrowDownOutlined, ArrowUpOutlined, PauseOutlined } from '@ant-design/icons'
import { Button, Space } from 'antd'
import { useEffect, useState, useMemo, useSyncExternalStore } from 'react'
import type { Group } from '../../../contract/automation/group.ts'
import { MOVES } from '../../../contract/devices/capabilities/cover.ts'
import type { Capability, CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { describeReason } from '../../domain/automation/runs/run-state.ts'
import { RunButton } from '../../domain/automation/runs/run-button.tsx'
import { confirmCommand } from '../../domain/devices/commands/use-device-control.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { valueKey } from '../../domain/devices/field-words.ts'
import { RowIcon } from '../../domain/devices/kind-name.tsx'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { sendToAll, useRunProgress } from '../../live/runs.ts'
import { isFinished } from '../../live/runs.ts'
import { ControlArea } from '../../ui/inputs/control-area.tsx'
import { useNoControl } from '../../ui/inputs/no-control.ts'
import { SwitchControl } from '../../ui/inputs/switch-control.tsx'
import page from '../../ui/page/page.module.css'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import { coverOf, switchValues, type GroupState, type MemberStatus, groupState } from './group-state.ts'
import { useDevices } from '../../data/homes.ts'
import { statuses } from '../../data/status-store.ts'

const TONES: Readonly<Record<GroupState['kind'], Tone>> = {
  allOn: 'on',
  someOn: 'on',
  allOff: 'plain',
  unknown: 'offline',
  reporting: 'plain',
}

/** State of a group's devices, with their number. */
export function GroupStateTag({ group }: { group: Group }) {
  const t = useT()
  const { state } = useGroupLive(group)
  const { kind, onCount, unknownCount } = state
  const count = group.PeripheralList.length
  return (
    <span className={page.tightRow}>
      <StateTag tone={TONES[kind]}>
        {kind === 'reporting'
          ? t('automation:group.reporting', { on: count - unknownCount, count })
          : kind === 'unknown'
            ? t('automation:group.unknown')
            : coverOf(group.GroupType)
              ? t(`automation:group.covers.${kind}`, { on: onCount, count })
              : t(`automation:group.${kind}`, { on: onCount, count })}
      </StateTag>
      {unknownCount > 0 && kind !== 'unknown' && (
        <small>{t('automation:group.unknownCount', { count: unknownCount })}</small>
      )}
    </span>
  )
}

/** Key of the name of a group's kind of devices. */
export function groupKindKey(type: string) {
  const knownType = deviceType(type)
  return knownType ? (`devices:kinds.${knownType.kind}` as const) : 'devices:kinds.other'
}

export function GroupKind({ type }: { type: string }) {
  const t = useT()
  return (
    <span className={page.tightRow}>
      <RowIcon row={{ type: deviceType(type), device: undefined }} />
      {t(groupKindKey(type))}
    </span>
  )
}

/** Sends values to a group, follows the run, and shows an error if it fails. */
function useGroupRun({ HomeID, GroupID }: Group) {
  const [sentRun, setSentRun] = useState<{ runId: string; values: CommandValues }>()
  const progress = useRunProgress(sentRun?.runId)
  const isOver = progress !== undefined && isFinished(progress)
  useEffect(() => {
    if (progress && isFinished(progress) && progress.State !== 'done')
      notices.error(() =>
        progress.Reason ? describeReason(progress.Reason) : words('automation:group.someFailed'),
      )
    // Once per run, when it finishes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies
  }, [isOver, sentRun?.runId])
  const send = (values: CommandValues) => {
    const runId = sendToAll(HomeID, { GroupID }, values)
    setSentRun(runId === undefined ? undefined : { runId, values })
  }
  return {
    send,
    /** Values of the run in progress. */
    wanted: isOver ? undefined : sentRun?.values,
    /** RunID of a run that partly failed. */
    failed: isOver && progress.State !== 'done' && !progress.Reason ? sentRun?.runId : undefined,
  }
}

/** Controls a group like a single device; renders nothing if its devices or the user's rights do not allow it. */
export function GroupControl({ group }: { group: Group }) {
  const may = useMay('device_control', 'Control')
  const reason = useNoControl()
  const { state, status } = useGroupLive(group)
  const { send, wanted, failed } = useGroupRun(group)
  const cover = coverOf(group.GroupType)
  const canSwitch = switchValues(group.GroupType, status, 1) !== undefined
  if (!may || (!cover && !canSwitch) || group.PeripheralList.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only keeps a click from opening the row
    <span className={page.tightRow} title={reason} onClick={(event) => event.stopPropagation()}>
      <ControlArea isQuiet>
        {cover ? (
          <CoverButtons group={group} cover={cover} send={send} requested={wanted} />
        ) : (
          <GroupSwitch group={group} state={state} status={status} send={send} requested={wanted} />
        )}
      </ControlArea>
      {failed !== undefined && <RunButton HomeID={group.HomeID} runId={failed} name={group.GroupName} />}
    </span>
  )
}

interface ControlProps {
  group: Group
  send: (values: CommandValues) => void
  requested: CommandValues | undefined
}

const MOVE_ICONS = {
  open: <ArrowUpOutlined />,
  stop: <PauseOutlined />,
  close: <ArrowDownOutlined />,
} as const

/** Buttons that open, stop or close all covers, with a confirmation if they may hurt people. */
function CoverButtons({ group, cover, send, requested }: ControlProps & { cover: Capability }) {
  const t = useT()
  return (
    <Space.Compact>
      {MOVES.map(([Move, name]) => (
        <Button
          key={Move}
          icon={MOVE_ICONS[name as keyof typeof MOVE_ICONS]}
          loading={requested?.['Move'] === Move}
          title={t(valueKey(name))}
          aria-label={t('automation:group.move', { name: group.GroupName, move: t(valueKey(name)) })}
          onClick={() => confirmCommand(cover, { Move }, () => send({ Move }))}
        />
      ))}
    </Space.Compact>
  )
}

/** Switch for all devices, with a confirmation if that may hurt people; shows the reported state. */
function GroupSwitch({
  group,
  state,
  status,
  send,
  requested,
}: ControlProps & { state: GroupState; status: MemberStatus }) {
  const t = useT()
  const switchTo = (switchState: 0 | 1) => {
    const values = switchValues(group.GroupType, status, switchState)
    if (values) confirmCommand(askingOf(group.GroupType), values, () => send(values))
  }
  const switchState = requested && (Object.values(requested)[0] as 0 | 1)
  const isMixed = state.kind === 'someOn' && state.offCount > 0
  if (isMixed && switchState === undefined)
    return (
      <Space.Compact>
        {([1, 0] as const).map((to) => (
          <Button
            key={to}
            aria-label={t(to ? 'automation:group.turnOn' : 'automation:group.turnOff', {
              name: group.GroupName,
            })}
            onClick={() => switchTo(to)}
          >
            {t(to ? 'automation:group.on' : 'automation:group.off')}
          </Button>
        ))}
      </Space.Compact>
    )
  return (
    <SwitchControl
      small
      name={t('automation:group.switch', { name: group.GroupName })}
      value={state.kind === 'unknown' ? undefined : state.onCount > 0 ? 1 : 0}
      requested={switchState === (state.onCount > 0 ? 1 : 0) ? undefined : switchState}
      onChange={switchTo}
    />
  )
}

/** Capability of a type that requires a confirmation; empty if there is none. */
const askingOf = (type: string): Pick<Capability, 'needsConfirmation'> =>
  deviceType(type)?.capabilities.find(({ needsConfirmation }) => needsConfirmation) ?? {}

type StatusQuery = Pick<Group, 'HomeID' | 'GroupType' | 'PeripheralList'>

/** Live state of a group, and the status of its first known member. */
function useGroupLive({ HomeID, GroupType, PeripheralList }: StatusQuery): {
  state: GroupState
  status: MemberStatus
} {
  const snapshot = useDevices(HomeID).data
  const offlineUids = useMemo(() => {
    const hubs = new Set(snapshot?.Things.filter(({ Online }) => !Online).map(({ ThingName }) => ThingName))
    return new Set(
      snapshot?.Peripherals.filter(({ ThingName }) => ThingName !== null && hubs.has(ThingName)).map(
        ({ PeripheralUID }) => PeripheralUID,
      ),
    )
  }, [snapshot])
  const readKnownStatuses = () =>
    PeripheralList.map((uid) => (offlineUids.has(uid) ? undefined : statuses.get(uid)))
  // Serialized, so that it re-renders only when the value changes.
  const text = useSyncExternalStore(statuses.subscribeAll, () =>
    JSON.stringify(groupState(GroupType, readKnownStatuses())),
  )
  return {
    state: JSON.parse(text) as GroupState,
    status: readKnownStatuses().find((one) => one !== undefined),
  }
}
