import { Alert, Button, Checkbox, Form, Input } from 'antd'
import { useState, type FC } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { ActionsField } from '../../../domain/automation/actions/actions-field.tsx'
import { describeFailure } from '../../../data/failure.ts'
import { useMay } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { FollowedConflict } from '../../../record-kit/record-conflict.tsx'
import { FormActions } from '../../../record-kit/form-actions.tsx'
import { RecordPage } from '../../../record-kit/record-page.tsx'
import { MessagePage } from '../../../ui/page/message-page.tsx'
import { MissingRight } from '../../../ui/page/missing-right.tsx'
import { ListSkeleton, LoadFailed } from '../../../ui/page/states.tsx'
import { Advanced, OrderField } from './advanced.tsx'
import { EndOf, OffAfter } from './afterwards.tsx'
import styles from './editor.module.css'
import { Field, type PartProps, Section } from './field.tsx'
import { Findings, NextRuns, TryRule, useCheck } from './rule-check.tsx'
import { KINDS, type ListedRule, type RuleKind, kindOf } from '../rules/kinds.ts'
import { prefillIn } from '../../../domain/automation/prefill.ts'
import { describeDraft } from '../words/describe-draft.ts'
import { plainText, RuleText } from '../words/rule-text.tsx'
import { type RuleFacts, useRuleFacts, useSentence } from '../words/use-rule-facts.ts'
import { type RuleForm, useRuleForm } from './use-rule-form.ts'
import { useRules } from '../rules/use-rules.ts'
import { mayShed } from '../rules/draft.ts'
import { Shedding } from './shedding.tsx'
import { RunNotificationField } from './notification-fields.tsx'
import { ThenAlarm } from './then-alarm.tsx'
import { WhenMeasured } from './when-measured.tsx'
import { WhenConditions } from './when-conditions.tsx'
import { WhenSchedule } from './when-schedule.tsx'
import page from '../../../ui/page/page.module.css'
import { AlarmNow, RuleState, LastRun, RuleRuns, useBlockers } from '../list/rule-state.tsx'
import { RunNow } from '../list/run-now.tsx'

/** Header of a saved rule in the editor: its state, last outcome and actions. */
const RuleHead: FC<{ rule: ListedRule; facts: RuleFacts }> = ({ rule, facts }) => {
  const blocker = useBlockers(rule.HomeID, kindOf(rule)).get(rule.AutomationID)
  return (
    <span className={`${page.tools} ${page.row}`}>
      <RuleState rule={rule} facts={facts} blocker={blocker} />
      {rule.AutomationType === 4 ? (
        <AlarmNow rule={rule} canFire={blocker === undefined} />
      ) : (
        <LastRun rule={rule} />
      )}
      <RuleRuns rule={rule} />
      <RunNow rule={rule} facts={facts} />
    </span>
  )
}

const CONTROL = { feature: 'device_control', operation: 'Control' } as const

/** Page that creates or edits a schedule, smart link or alarm. */
export const RulePage: FC<{ kind: RuleKind }> = ({ kind }) => {
  const { HomeID = '', automationID } = useParams()
  return automationID === undefined ? (
    <Editor key={HomeID} kind={kind} HomeID={HomeID} rule={undefined} isDeleted={false} />
  ) : (
    <OneRule key={automationID} kind={kind} HomeID={HomeID} id={automationID} />
  )
}

/** A rule that is deleted while it is open stays visible. */
function OneRule({ kind, HomeID, id }: { kind: RuleKind; HomeID: string; id: string }) {
  const t = useT()
  const { rows, error, retry } = useRules(HomeID, [kind])
  const listedRule = rows?.find(({ AutomationID }) => AutomationID === id)
  const [last, setLast] = useState(listedRule)
  if (listedRule && listedRule !== last) setLast(listedRule)
  const rule = listedRule ?? last
  if (rule)
    return <Editor kind={kind} HomeID={HomeID} rule={rule} isDeleted={rows !== undefined && !listedRule} />
  if (rows)
    return (
      <MessagePage
        title={t(`automation:rule.notFound.${kind}`)}
        actions={
          <Link className="text-link" to={pathTo(KINDS[kind].list, { HomeID })}>
            {t(`shell:pages.${KINDS[kind].list}`)}
          </Link>
        }
      />
    )
  return error ? <LoadFailed error={error} retry={retry} /> : <ListSkeleton rows={8} />
}

interface EditorProps {
  kind: RuleKind
  HomeID: string
  rule: ListedRule | undefined
  isDeleted: boolean
}

function Editor({ kind, HomeID, rule, isDeleted }: EditorProps) {
  const t = useT()
  const navigate = useNavigate()
  const requiredRight = { feature: KINDS[kind].feature, operation: rule ? 'Update' : 'Create' } as const
  const may = useMay(requiredRight.feature, requiredRight.operation)
  const mayControl = useMay(CONTROL.feature, CONTROL.operation)
  const [search] = useSearchParams()
  const facts = useRuleFacts(HomeID)
  const form = useRuleForm({
    HomeID,
    kind,
    rule,
    prefill: kind === 'schedule' ? prefillIn(search) : undefined,
    facts,
  })
  const list = pathTo(KINDS[kind].list, { HomeID })
  // A rule that only notifies needs no right to control.
  const needsControl = kind !== 'alarm' || form.draft.Actions.length > 0 || form.draft.alarm.sheds
  const isControlMissing = needsControl && !mayControl
  const disabled = !may || isControlMissing || isDeleted
  const submit = async (acceptLoop = false) => {
    if (await form.save(acceptLoop)) void navigate(list)
    else showFirst()
  }
  return (
    <RecordPage
      title={rule?.AutomationName ?? t(`automation:rule.create.${kind}`)}
      head={rule && <RuleHead rule={rule} facts={facts} />}
    >
      {!may ? <MissingRight right={requiredRight} /> : isControlMissing && <MissingRight right={CONTROL} />}
      {isDeleted && <Alert showIcon type="error" role="alert" message={t('screens:form.gone')} />}
      <Form
        layout="vertical"
        // A div instead of a form, so that Enter does not submit.
        component="div"
        className={`${page.stack} ${styles.editor}`}
        disabled={disabled}
      >
        <Sections kind={kind} HomeID={HomeID} form={form} facts={facts} disabled={disabled} />
        <FollowedConflict tracked={form.tracked} record={rule} words={useConflictWords(facts)} />
        {form.loops && !disabled && (
          <Alert
            showIcon
            type="warning"
            role="alert"
            message={t('automation:rule.loop.text')}
            action={<Button onClick={() => void submit(true)}>{t('automation:rule.loop.ok')}</Button>}
          />
        )}
        {form.failure !== undefined && (
          <Alert showIcon type="error" role="alert" message={describeFailure(form.failure)} />
        )}
        <FormActions
          cancel={() => void navigate(list)}
          save={() => void submit()}
          busy={form.busy}
          disabled={disabled || form.tracked.conflicting.length > 0}
        >
          <TryRule input={form.input} kind={kind} />
        </FormActions>
      </Form>
    </RecordPage>
  )
}

interface SectionsProps {
  kind: RuleKind
  HomeID: string
  form: RuleForm
  facts: RuleFacts
  disabled: boolean
}

function Sections({ kind, HomeID, form, facts, disabled }: SectionsProps) {
  const t = useT()
  const check = useCheck(disabled ? undefined : form.input)
  const sentence = useSentence(facts.names)
  const { draft, change, reasons } = form
  const part: PartProps = { draft, change, reasons, disabled }
  const isSchedule = kind === 'schedule'
  const isAlarm = kind === 'alarm'
  return (
    <>
      <p className={`${styles.says} ${styles.onTop}`}>
        <RuleText sentence={sentence(describeDraft(draft, kind))} />
      </p>
      <Field label={t('resources:automation.fields.AutomationName')} path="AutomationName" reasons={reasons}>
        <Input
          aria-label={t('resources:automation.fields.AutomationName')}
          disabled={disabled}
          maxLength={64}
          value={draft.AutomationName}
          onChange={({ target }) => change({ AutomationName: target.value })}
        />
      </Field>
      <Checkbox
        disabled={disabled}
        checked={draft.Enabled}
        onChange={({ target }) => change({ Enabled: target.checked })}
      >
        {t('automation:rule.state')}
      </Checkbox>
      <Section title={t('automation:rule.sections.when')}>
        {isSchedule ? (
          <WhenSchedule {...part} facts={facts} />
        ) : isAlarm ? (
          <WhenMeasured {...part} facts={facts} />
        ) : (
          <WhenConditions {...part} facts={facts} />
        )}
        {isSchedule && check && <NextRuns runs={check.NextRuns} HomeID={HomeID} />}
      </Section>
      <Section title={t('automation:rule.sections.then')}>
        {isAlarm && <ThenAlarm {...part} />}
        {isAlarm && <h3>{t('automation:rule.alarm.alsoDo')}</h3>}
        {(!isAlarm || draft.Actions.length > 1) && <OrderField {...part} />}
        <ActionsField
          allowScenes
          HomeID={HomeID}
          disabled={disabled}
          inOrder={draft.Order === 'inOrder'}
          errors={reasons}
          value={draft.Actions}
          onChange={(Actions) => change({ Actions })}
        />
      </Section>
      {isAlarm && mayShed(draft) && (
        <Section title={t('automation:rule.sections.shed')}>
          <Shedding {...part} facts={facts} />
        </Section>
      )}
      {!isAlarm && (
        <Section title={t('automation:rule.sections.afterwards')}>
          {!isSchedule ? (
            <EndOf {...part} HomeID={HomeID} />
          ) : draft.trigger === 'booking' ? (
            <p className={page.hint}>{t('automation:rule.edit.bookingEnd')}</p>
          ) : (
            <OffAfter {...part} />
          )}
          <RunNotificationField {...part} />
        </Section>
      )}
      <Advanced {...part} kind={kind} facts={facts} />
      {check && <Findings findings={check.Findings} facts={facts} />}
    </>
  )
}

/** Fields for the conflict view; the rule is shown as a sentence. */
function useConflictWords(facts: RuleFacts) {
  const t = useT()
  const sentence = useSentence(facts.names)
  return [
    { label: t('resources:automation.fields.AutomationName'), of: (rule: ListedRule) => rule.AutomationName },
    {
      label: t('automation:rule.does.title'),
      of: (rule: ListedRule) => plainText(sentence(describeDraft(rule))),
    },
    { label: t('resources:automation.fields.Description'), of: (rule: ListedRule) => rule.Description ?? '' },
    {
      label: t('automation:rule.state'),
      of: (rule: ListedRule) => t(rule.Enabled === false ? 'devices:state.off' : 'devices:state.on'),
    },
  ]
}

/** Scrolls to the first error after it has rendered. */
function showFirst(): void {
  requestAnimationFrame(() =>
    document.querySelector(`.${styles.editor} [role="alert"]`)?.scrollIntoView?.({ block: 'center' }),
  )
}
