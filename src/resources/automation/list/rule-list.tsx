import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FC, ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useTimeZone } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import type { TitledColumn } from '../../../record-kit/list/column.ts'
import { ListFrame, ListRows } from '../../../record-kit/list/list-rows.tsx'
import { EmptyState } from '../../../ui/page/states.tsx'
import { KINDS, type ListedRule, type RuleKind } from '../rules/kinds.ts'
import { AlarmNow, RuleState, LastRun, useBlockers } from './rule-state.tsx'
import { PauseBanner, PauseButton } from './pause.tsx'
import { PrintRules } from './print-rules.tsx'
import { RuleMenu, RuleSwitch } from './rule-actions.tsx'
import pageStyles from '../../../ui/page/page.module.css'
import styles from './rule-list.module.css'
import { describeDraft } from '../words/describe-draft.ts'
import { plainText, RuleText } from '../words/rule-text.tsx'
import type { RuleSentence } from '../words/sentence.ts'
import { type RuleFacts, useRuleFacts, useSentence } from '../words/use-rule-facts.ts'
import { useRuleFilter } from './use-rule-filter.tsx'
import { useRules } from '../rules/use-rules.ts'
import { ButtonLink } from '../../../ui/plain/plain-button.tsx'
import { usePhone, useWide } from '../../../ui/page/use-screen.ts'

const keyOf = ({ AutomationID }: ListedRule) => AutomationID

/** Schedules, smart links or alarms of a home, each with a one-sentence description, its state and its last outcome. */
export const RuleList: FC<{ kind: RuleKind }> = ({ kind }) => {
  const { HomeID = '' } = useParams()
  const t = useT()
  const navigate = useNavigate()
  const { feature, list, edit } = KINDS[kind]
  const mayCreate = useMay(feature, 'Create')
  const mayControl = useMay('device_control', 'Control')
  const isAlarm = kind === 'alarm'
  const facts = useRuleFacts(HomeID)
  const rules = useRules(HomeID, [kind])
  const sentence = useSentence(facts.names)
  const blockers = useBlockers(HomeID, kind)
  const filter = useRuleFilter(facts)
  const sentences = new Map(rules.rows?.map((rule) => [rule.AutomationID, sentence(describeDraft(rule))]))
  const sentenceFor = (rule: ListedRule) => sentences.get(rule.AutomationID) ?? { main: '', notes: undefined }
  const rows = rules.rows?.filter((rule) => filter.passes(rule, plainText(sentenceFor(rule))))
  const isPhone = usePhone()
  const isWide = useWide()
  const columns = useRuleColumns(
    kind,
    facts,
    { sentenceFor, blockers },
    isPhone ? 'phone' : isWide ? 'wide' : 'narrow',
  )
  const create = mayCreate && (mayControl || isAlarm) && (
    <ButtonLink main to={pathTo(edit, { HomeID })}>
      <PlusOutlined aria-hidden="true" />
      {t(`automation:rule.create.${kind}`)}
    </ButtonLink>
  )
  const title = t(`shell:pages.${list}`)
  return (
    <ListFrame
      title={title}
      isEmbedded={isAlarm}
      total={rules.rows?.length}
      bar={filter.bar}
      tools={
        <>
          <PrintRules HomeID={HomeID} facts={facts} />
          {!isAlarm && <PauseButton HomeID={HomeID} />}
          {create}
        </>
      }
    >
      {!isAlarm && <PauseBanner HomeID={HomeID} />}
      <ListRows<ListedRule>
        records={{
          rows,
          total: rules.rows?.length,
          error: rules.error,
          loadMore: undefined,
          fetchingMore: false,
          isPlaceholder: false,
          retry: rules.retry,
        }}
        list={`${kind} ${HomeID}`}
        columns={columns}
        keyOf={keyOf}
        label={title}
        open={({ AutomationID: automationID }) => void navigate(pathTo(edit, { HomeID, automationID }))}
        renderActions={(rule) => <RuleSwitch rule={rule} />}
        actionsWidth={64}
        menu={{
          nameOf: ({ AutomationName }) => AutomationName,
          render: (rule) => <RuleMenu rule={rule} facts={facts} />,
        }}
        noMatch={
          filter.isOn && (
            <EmptyState
              message={t('lists:page.noMatch')}
              next={<Button onClick={filter.clear}>{t('screens:list.clearFilters')}</Button>}
            />
          )
        }
        empty={<EmptyState message={t(`automation:rule.empty.${kind}`)} next={create || undefined} />}
      />
    </ListFrame>
  )
}

/**
 * Columns of the list; only schedules have a next run.
 *
 * space  narrow: the description is shown below the name, and the next run above the last one; phone: one line of facts, the most important
 *        one first
 */
function useRuleColumns(
  kind: RuleKind,
  facts: RuleFacts,
  {
    sentenceFor,
    blockers,
  }: { sentenceFor: (rule: ListedRule) => RuleSentence<string>; blockers: ReturnType<typeof useBlockers> },
  space: 'wide' | 'narrow' | 'phone',
): TitledColumn<ListedRule>[] {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(facts.actions.HomeID)
  const titled = (key: string, width: number, render: (rule: ListedRule) => ReactNode) => ({
    key,
    title: t(`resources:automation.fields.${key}`),
    width,
    render,
  })
  const isNarrow = space === 'narrow'
  const hasNext = kind === 'schedule'
  const next = ({ NextRunAt }: ListedRule) =>
    NextRunAt === null ? '–' : formatWhen(NextRunAt, language, zone)
  const ranColumn = () =>
    titled(hasNext && isNarrow ? 'Runs' : 'LastRunAt', isNarrow ? 104 : 112, (rule) => (
      <>
        {hasNext && isNarrow && rule.NextRunAt !== null && (
          <small className={`${styles.moment} ${pageStyles.muted} ${pageStyles.block}`}>
            {t('automation:rule.next', { at: next(rule) })}
          </small>
        )}
        <LastRun rule={rule} />
      </>
    ))
  if (space === 'phone')
    return [
      titled('AutomationName', 0, ({ AutomationName }) => AutomationName),
      titled('State', 0, (rule) =>
        rule.State !== 'ready' || blockers.has(rule.AutomationID) ? (
          <RuleState rule={rule} facts={facts} blocker={blockers.get(rule.AutomationID)} />
        ) : kind === 'alarm' ? (
          <AlarmNow rule={rule} canFire />
        ) : (
          <LastRun rule={rule} />
        ),
      ),
      titled('does', 0, (rule) => sentenceFor(rule).main),
    ]
  return [
    titled('AutomationName', isNarrow ? 258 : 108, (rule) => (
      <>
        <b className={rule.Enabled === false ? pageStyles.muted : undefined}>{rule.AutomationName}</b>
        {isNarrow && <RuleText sentence={sentenceFor(rule)} />}
      </>
    )),
    ...(isNarrow ? [] : [titled('does', 280, (rule) => <RuleText sentence={sentenceFor(rule)} />)]),
    titled('State', 88, (rule) => (
      <RuleState rule={rule} facts={facts} blocker={blockers.get(rule.AutomationID)} />
    )),
    ...(hasNext && !isNarrow
      ? [titled('NextRunAt', 112, (rule) => <span className={styles.moment}>{next(rule)}</span>)]
      : []),
    ...(kind === 'alarm'
      ? [
          {
            key: 'now',
            title: t('alarms:columns.now'),
            width: 128,
            render: (rule: ListedRule) => (
              <>
                <AlarmNow rule={rule} canFire={!blockers.has(rule.AutomationID)} />
                {rule.Actions.length > 0 && <LastRun rule={rule} />}
              </>
            ),
          },
        ]
      : [ranColumn()]),
  ]
}
