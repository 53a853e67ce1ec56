import { RedoOutlined, RollbackOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import type { ConditionTrace, Run, RunAction } from '../../../../contract/automation/run-calls.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { isFinished } from '../../../live/runs.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import page from '../../../ui/page/page.module.css'
import { useNow } from '../../../ui/page/use-now.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import type { ActionFacts } from '../targets/use-action-facts.ts'
import { useActionWords } from '../actions/use-action-words.ts'
import { COMPARED } from '../words/phrase.ts'
import { useSubjects } from '../words/use-subjects.ts'
import { isRetriable, isUndoable, progressOf, toneOfAction, toneOfRun } from './run-state.ts'
import styles from './runs.module.css'
import { useRetry, useUndo } from './use-runs.ts'

interface Props {
  run: Run
  facts: ActionFacts
  /** Opens a run that this run caused. */
  openRun: (runId: string) => void
}

/** One run: cause, user and time, conditions at that time, and the state of each action. */
export function RunDetail({ run, facts, openRun }: Props) {
  const t = useT()
  return (
    <div className={page.stack}>
      <Head run={run} />
      <Buttons run={run} openRun={openRun} />
      {run.Conditions.length > 0 && <Conditions run={run} facts={facts} />}
      <section aria-label={t('automation:run.actions')}>
        <h3 className={page.below8}>{t('automation:run.actions')}</h3>
        {run.Actions.length === 0 ? (
          <p className={page.note}>{t('automation:run.noActions')}</p>
        ) : (
          <ul className={styles.lines}>
            {run.Actions.map((action, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- a device may occur twice; the order is fixed
              <ActionLine key={i} action={action} facts={facts} />
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

function Head({ run }: { run: Run }) {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(run.HomeID)
  const at = (timestamp: number) => formatWhen(timestamp, language, zone)
  const { confirmed, failed, total } = progressOf(run)
  const isOver = isFinished(run)
  return (
    <>
      <p className={page.row} role="status">
        <StateTag tone={toneOfRun(run.State)}>{t(`automation:run.states.${run.State}`)}</StateTag>
        {run.Reason && <span>{t(`automation:reasons.${run.Reason}`)}</span>}
        {total > 0 && <span>{t('automation:run.progress', { confirmed, total })}</span>}
      </p>
      {!isOver && total > 0 && (
        <Progress
          percent={Math.round(((confirmed + failed) / total) * 100)}
          aria-label={t('automation:run.actions')}
          showInfo={false}
        />
      )}
      <dl className={page.facts}>
        <dt>{t('automation:run.cause')}</dt>
        <dd>
          {run.By === null
            ? t(`automation:run.causes.${run.Cause}`)
            : t('automation:run.by', { cause: t(`automation:run.causes.${run.Cause}`), person: run.By })}
        </dd>
        {run.PlannedAt !== null && (
          <>
            <dt>{t('automation:run.plannedAt')}</dt>
            <dd>{at(run.PlannedAt)}</dd>
          </>
        )}
        <dt>{t('automation:run.beganAt')}</dt>
        <dd>{at(run.BeganAt)}</dd>
        {run.EndedAt !== null && (
          <>
            <dt>{t('automation:run.endedAt')}</dt>
            <dd>{at(run.EndedAt)}</dd>
          </>
        )}
      </dl>
    </>
  )
}

function Buttons({ run, openRun }: Pick<Props, 'run' | 'openRun'>) {
  const t = useT()
  const now = useNow()
  const may = useMay('device_control', 'Control')
  const reason = useNoControl()
  const { busy: undoing, undo } = useUndo()
  const { busy: retrying, retry } = useRetry()
  const openNext = async (next: Promise<string | undefined>) => {
    const id = await next
    if (id !== undefined) openRun(id)
  }
  const undoable = isUndoable(run, now)
  const retriable = isRetriable(run)
  if (!may || (!undoable && !retriable)) return null
  return (
    <div className={page.buttons}>
      {undoable && (
        <Button
          icon={<RollbackOutlined />}
          loading={undoing}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => void openNext(undo(run))}
        >
          {t('automation:run.undo')}
        </Button>
      )}
      {retriable && (
        <Button
          icon={<RedoOutlined />}
          loading={retrying}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => void openNext(retry(run))}
        >
          {t('automation:run.retry')}
        </Button>
      )}
    </div>
  )
}

/** Each condition at the time of the run: its verdict and the value, or that the value was unknown. */
function Conditions({ run, facts }: Pick<Props, 'run' | 'facts'>) {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(run.HomeID)
  const subjects = useSubjects(facts)
  const neededOf = ({ PeripheralUID: uid, Field, Needed }: ConditionTrace): string => {
    if (!Needed) return ''
    const [value = '', upperValue = ''] = [Needed.Status]
      .flat()
      .map((figure) => subjects.valueName(uid, Field, figure))
    return t(`automation:run.needed.${COMPARED[Needed.Logical]}`, { value, upper: upperValue })
  }
  const lineOf = ({ PeripheralUID: uid, Field, Value, At }: ConditionTrace) => ({
    name: t('automation:actions.fieldOf', {
      name: subjects.labelOf(uid),
      field: subjects.fieldName(uid, Field),
    }),
    text:
      (Value === null ? t('devices:state.unknown') : subjects.valueName(uid, Field, Value)) +
      (At === null ? '' : ` · ${formatWhen(At, language, zone)}`),
  })
  return (
    <section aria-label={t('automation:run.conditions')}>
      <h3 className={page.below8}>{t('automation:run.conditions')}</h3>
      <ul className={styles.lines}>
        {run.Conditions.map((condition, i) => {
          const { name, text } = lineOf(condition)
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a field may occur twice; the order is fixed
            <li key={i}>
              <span>{name}</span>
              <StateTag tone={VERDICT_TONES[verdictKey(condition.Verdict)]}>
                {t(`automation:run.verdicts.${verdictKey(condition.Verdict)}`)}
              </StateTag>
              <span>{text}</span>
              {condition.Needed && <span>{neededOf(condition)}</span>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const verdictKey = (verdict: boolean | null) => (verdict === null ? 'unknown' : verdict ? 'true' : 'false')
const VERDICT_TONES = { true: 'good', false: 'plain', unknown: 'offline' } as const

function ActionLine({ action, facts }: { action: RunAction; facts: ActionFacts }) {
  const t = useT()
  const words = useActionWords(facts)
  return (
    <li>
      <span>{words.lineOf({ PeripheralUID: action.PeripheralUID, Values: action.Values })}</span>
      <StateTag tone={toneOfAction(action.State)}>
        {t(`automation:run.actionStates.${action.State}`)}
      </StateTag>
      {action.Reason && <span>{t(`errors:command.${action.Reason}`)}</span>}
    </li>
  )
}
