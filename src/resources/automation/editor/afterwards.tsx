import { Radio, Select } from 'antd'
import type { FC } from 'react'
import { END_DURATIONS } from '../../../../contract/automation/condition.ts'
import { ActionsField } from '../../../domain/automation/actions/actions-field.tsx'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { Field, type PartProps } from './field.tsx'
import { formatPhrase, durationOf } from '../../../domain/automation/words/phrase.ts'
import { holdsLabel } from '../../../lib/match-words.ts'

/** Choices for the hours after which a schedule switches off again (§9). */
const OFF_AFTER = Array.from({ length: 100 }, (_, hours) => hours)

/** Number of hours after which a schedule switches off what it has switched on. */
export const OffAfter: FC<PartProps> = ({ draft, change, reasons, disabled }) => {
  const t = useT()
  return (
    <div className={page.fields}>
      <Field
        label={t('automation:rule.edit.offAfter')}
        path="Schedule.OffAfter"
        reasons={reasons}
        hint={t('automation:rule.edit.offAfterHint')}
      >
        <Select
          showSearch
          filterOption={holdsLabel}
          aria-label={t('automation:rule.edit.offAfter')}
          disabled={disabled}
          value={draft.offAfter}
          options={OFF_AFTER.map((value) => ({
            value,
            label:
              value === 0 ? t('automation:rule.edit.never') : t('automation:rule.hours', { count: value }),
          }))}
          onChange={(offAfter) => change({ offAfter })}
        />
      </Field>
    </div>
  )
}

/** End of a smart link: the time since its conditions were last true, and the end actions. */
export const EndOf: FC<PartProps & { HomeID: string }> = (props) => {
  const { draft, change, reasons, disabled, HomeID } = props
  const t = useT()
  return (
    <>
      <div className={page.fields}>
        <Field
          label={t('automation:rule.edit.endDuration')}
          path="EndDuration"
          reasons={reasons}
          hint={t('automation:rule.edit.endDurationHint')}
        >
          <Select
            aria-label={t('automation:rule.edit.endDuration')}
            disabled={disabled}
            value={draft.EndDuration}
            options={END_DURATIONS.map((value) => ({
              value,
              label: value === 0 ? t('automation:rule.edit.noEnd') : formatPhrase(t, durationOf(value)),
            }))}
            onChange={(EndDuration) => change({ EndDuration })}
          />
        </Field>
      </div>
      {draft.EndDuration > 0 && (
        <div className={page.tightStack}>
          <Radio.Group
            aria-label={t('automation:rule.edit.ends')}
            disabled={disabled}
            value={draft.ends}
            options={(['restore', 'actions'] as const).map((value) => ({
              value,
              label: t(`automation:rule.edit.endKinds.${value}`),
            }))}
            onChange={({ target }) => change({ ends: target.value as 'restore' | 'actions' })}
          />
          {draft.ends === 'actions' && (
            <ActionsField
              allowScenes
              name="EndActions"
              HomeID={HomeID}
              disabled={disabled}
              errors={reasons}
              value={draft.EndActions}
              onChange={(EndActions) => change({ EndActions })}
            />
          )}
        </div>
      )}
    </>
  )
}
