import { RedoOutlined, RollbackOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { useMay } from '../../data/session.ts'
import { useTimeZone } from '../../data/homes.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { isFinished } from '../../live/runs.ts'
import { useNoControl } from '../../ui/inputs/no-control.ts'
import page from '../../ui/page/page.module.css'
import { useNow } from '../../ui/page/use-now.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import {
  describeReason,
  isRetriable,
  isUndoable,
  progressOf,
  toneOfRun,
} from '../../domain/automation/runs/run-state.ts'
import { useRetry, useRun, useUndo } from '../../domain/automation/runs/use-runs.ts'
import type { RoomCommand } from './room-store.ts'
import { timeOn } from './use-room-words.ts'

interface Props {
  HomeID: string
  startedCommand: RoomCommand
  devices: readonly Peripheral[]
  /** Shows the run that undoes or retries this one instead. */
  follow: (next: RoomCommand) => void
}

/** Outcome of a command to a whole room: confirmed and failed devices, with retry and undo. */
export function RoomRun({ HomeID, startedCommand: { RunID, description }, devices, follow }: Props) {
  const t = useT()
  const zone = useTimeZone(HomeID) ?? DEFAULT_ZONE
  const now = useNow()
  const may = useMay('device_control', 'Control')
  const reason = useNoControl()
  const { run, progress } = useRun(HomeID, RunID)
  const { busy: undoing, undo } = useUndo()
  const { busy: retrying, retry } = useRetry()
  const followNext = async (next: Promise<string | undefined>, words: string) => {
    const id = await next
    if (id !== undefined) follow({ RunID: id, description: words })
  }
  if (!run)
    return (
      <div className={`${page.box} ${page.padded}`} role="status">
        <strong>{description}</strong>{' '}
        {progress && isFinished(progress) ? (
          <StateTag tone="alarm">
            {progress.Reason ? describeReason(progress.Reason) : t('automation:run.states.failed')}
          </StateTag>
        ) : (
          t('building:sending')
        )}
      </div>
    )
  const { confirmed, failed, total: sentCount } = progressOf(run)
  const names = run.Actions.filter(({ State }) => State === 'failed' || State === 'timedOut').map(
    ({ PeripheralUID, Reason }) => {
      const name =
        devices.find((device) => device.PeripheralUID === PeripheralUID)?.PeripheralName ?? PeripheralUID
      return Reason ? t('building:failedOf', { name, reason: describeReason(Reason) }) : name
    },
  )
  const undoable = may && isUndoable(run, now)
  return (
    <div className={`${page.box} ${page.padded} ${page.tightStack}`}>
      <div role="status">
        <strong>{description}</strong>{' '}
        <StateTag tone={toneOfRun(run.State)}>
          {run.Reason
            ? describeReason(run.Reason)
            : failed > 0
              ? t('building:sentFailed', {
                  sent: sentCount,
                  confirmed,
                  failed,
                  names: names.join(t('screens:listComma')),
                })
              : t('building:sent', { sent: sentCount, confirmed })}
        </StateTag>
      </div>
      {may && (undoable || isRetriable(run)) && (
        <div className={page.tightRow}>
          {isRetriable(run) && (
            <Button
              icon={<RedoOutlined />}
              loading={retrying}
              disabled={reason !== undefined}
              title={reason}
              onClick={() => void followNext(retry(run), description)}
            >
              {t('screens:retry')}
            </Button>
          )}
          {undoable && (
            <>
              <Button
                icon={<RollbackOutlined />}
                loading={undoing}
                disabled={reason !== undefined}
                title={reason}
                onClick={() => void followNext(undo(run), t('automation:run.undo'))}
              >
                {t('automation:run.undo')}
              </Button>
              <small>{t('building:undoUntil', { until: timeOn(run.UndoUntil ?? now, zone) })}</small>
            </>
          )}
        </div>
      )}
    </div>
  )
}
