import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { useEffect, type FC } from 'react'
import { useNavigate, useParams } from 'react-router'
import { isUnacknowledgedAlarm } from '../../../contract/attention/attention-item.ts'
import { LiveAlarms } from '../../custom-views/alarms/live-alarms.tsx'
import { GuardTab } from '../../custom-views/guard/guard-tab.tsx'
import { attentionQuery } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton } from '../../ui/page/states.tsx'
import { oneOf, useAddressParams } from '../../ui/page/use-address.ts'
import { RuleList } from './list/rule-list.tsx'
import type { RuleWhyProps } from '../../custom-views/alarms/alarm-drawer.tsx'
import { describeDraft } from './words/describe-draft.ts'
import { RuleText } from './words/rule-text.tsx'
import styles from './editor/editor.module.css'
import { useRules } from './rules/use-rules.ts'
import { useRuleFacts, useSentence } from './words/use-rule-facts.ts'

/** Rule of an alarm in words; renders nothing if the rule was deleted. */
const RuleWhy: FC<RuleWhyProps> = ({ HomeID, AutomationID }) => {
  const facts = useRuleFacts(HomeID)
  const sentence = useSentence(facts.names)
  const rule = useRules(HomeID, ['alarm']).rows?.find((one) => one.AutomationID === AutomationID)
  return rule ? (
    <p className={styles.says}>
      <RuleText sentence={sentence(describeDraft(rule))} />
    </p>
  ) : null
}

const TABS = ['rules', 'live', 'guard'] as const

/**
 * Tab of the address; undefined until it is known. An address without one gets the active alarms if any is not acknowledged, so that it
 * leads back to the same tab later. People who may not read rules see only the active alarms.
 */
function useTab(HomeID: string, mayReadRules: boolean): (typeof TABS)[number] | undefined {
  const { params, change } = useAddressParams()
  const tab = oneOf(TABS, params.get('tab') ?? '')
  const { data, error } = useQuery({ ...attentionQuery, enabled: mayReadRules && tab === undefined })
  const isWaiting = data?.Items.some((item) => item.HomeID === HomeID && isUnacknowledgedAlarm(item))
  const first = data || error ? (isWaiting ? 'live' : 'rules') : undefined
  useEffect(() => {
    if (mayReadRules && tab === undefined && first) change((all) => all.set('tab', first), 'typing')
  }, [mayReadRules, tab, first, change])
  return mayReadRules ? tab : 'live'
}

/** Alarm rules and current alarms of a home. */
export default function AlarmPage() {
  const { HomeID = '' } = useParams()
  const t = useT()
  const navigate = useNavigate()
  const mayReadRules = useMay('power_meter_alarm', 'Read')
  const tab = useTab(HomeID, mayReadRules)
  if (tab === undefined)
    return (
      <Page title={t('shell:menu.alarm')}>
        <ListSkeleton rows={8} />
      </Page>
    )
  return (
    <Page title={t('shell:menu.alarm')}>
      <Tabs
        destroyOnHidden
        activeKey={tab}
        // The tabs have different filters, so the query string is dropped.
        onChange={(next) => void navigate(`${pathTo('Alarm', { HomeID })}?tab=${next}`)}
        items={[
          ...(mayReadRules
            ? [{ key: 'rules', label: t('alarms:tabs.rules'), children: <RuleList kind="alarm" /> }]
            : []),
          {
            key: 'live',
            label: t('alarms:tabs.live'),
            children: <LiveAlarms HomeID={HomeID} RuleWhy={RuleWhy} />,
          },
          ...(mayReadRules
            ? [{ key: 'guard', label: t('alarms:tabs.guard'), children: <GuardTab HomeID={HomeID} /> }]
            : []),
        ]}
      />
    </Page>
  )
}
