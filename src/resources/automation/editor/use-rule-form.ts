import { useMemo, useState } from 'react'
import { automation } from '../../../../contract/automation/automation.ts'
import { notices } from '../../../data/notices.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../lib/i18n/i18n.ts'
import { type TrackedRecord, useTrackedRecord } from '../../../record-kit/use-tracked-record.ts'
import { useLeaveGuard } from '../../../ui/page/leave-guards.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import {
  withChange,
  draftOf,
  ruleProblemsOf,
  type Reasons,
  RULE_FIELDS,
  ruleOf,
  type RuleDraft,
  typeOf,
} from '../rules/draft.ts'
import type { ListedRule, RuleKind } from '../rules/kinds.ts'
import type { Prefill } from '../../../domain/automation/prefill.ts'
import type { DraftInput } from './rule-check.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'

export interface RuleForm {
  draft: RuleDraft
  change: (next: Partial<RuleDraft>) => void
  /** Reasons why it cannot be saved, by path: local errors after the first attempt to save, and errors from the gateway. */
  reasons: Reasons
  /** Call input; undefined while values are missing. */
  input: DraftInput | undefined
  busy: boolean
  failure: unknown
  tracked: TrackedRecord<ListedRule>
  /** Whether the gateway rejected it because two rules may trigger each other; the user can save it anyway. */
  loops: boolean
  save: (acceptLoop?: boolean) => Promise<ListedRule | undefined>
}

interface Options {
  HomeID: string
  kind: RuleKind
  rule: ListedRule | undefined
  /** Initial values of a new rule. */
  prefill: Prefill | undefined
  facts: RuleFacts
}

/** Form state of a new or existing rule; detects changes by other users before it saves. */
export function useRuleForm({ HomeID, kind, rule, prefill, facts }: Options): RuleForm {
  const [draft, setDraft] = useState(() => draftOf(rule ?? prefill, kind))
  const [isTried, setTried] = useState(false)
  const now = useNow()
  const guard = useLeaveGuard()
  const ruleInput = useMemo(() => ruleOf(draft, kind), [draft, kind])
  const tracked = useTrackedRecord<ListedRule>({
    record: rule,
    parts: [RULE_FIELDS],
    read: () => ruleInput as Partial<ListedRule>,
    write: (remote) => setDraft(draftOf(remote, kind)),
  })
  const stored = rule?.AutomationType
  const saving = useAction(
    async (AcceptLoop: boolean, send) => {
      const AutomationType = typeOf(draft, kind)
      let saved: ListedRule | undefined
      const isSaved = await tracked.save(async () => {
        saved =
          rule && stored !== undefined
            ? await send(automation.operations.update, {
                ...ruleInput,
                AutomationType: stored,
                AutomationID: rule.AutomationID,
                ...(AutomationType !== stored && { NewType: AutomationType }),
                Notify: ruleInput.Notify ?? null,
                ...(kind === 'schedule' && {
                  Schedule: ruleInput.Schedule ?? null,
                  Booking: ruleInput.Booking ?? null,
                }),
                ...(tracked.base && { Version: tracked.base.Version }),
                AcceptLoop,
              })
            : await send(automation.operations.create, { ...ruleInput, HomeID, AutomationType, AcceptLoop })
        return undefined
      })
      if (!isSaved || !saved) return undefined
      notices.success(() => t(rule ? 'screens:updated' : 'screens:created'))
      guard.setDirty(false)
      return saved
    },
    { feedback: 'both' },
  )
  const problems = ruleProblemsOf(draft, kind, { actions: facts.actions, subjects: facts.subjects, now })
  const isWhole = Object.keys(problems).length === 0
  const input = useMemo(
    (): DraftInput | undefined =>
      isWhole
        ? {
            ...ruleInput,
            HomeID,
            AutomationType: typeOf(draft, kind),
            ...(rule && { AutomationID: rule.AutomationID }),
          }
        : undefined,
    [isWhole, ruleInput, HomeID, draft, kind, rule],
  )
  const reasons = isTried ? { ...problems, ...saving.refused } : saving.refused
  return {
    draft,
    reasons,
    input,
    busy: saving.busy,
    failure: saving.failure,
    tracked,
    loops: Object.values(saving.refused).includes('loop'),
    change(next) {
      guard.setDirty(true)
      saving.reset()
      setDraft((before) => withChange(before, next, facts.actions))
    },
    async save(acceptLoop = false) {
      setTried(true)
      return isWhole ? saving.run(acceptLoop) : undefined
    },
  }
}
