import { Alert, Collapse } from 'antd'
import { useState, type FC, useId } from 'react'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import {
  PERMISSION_TEMPLATES,
  type TemplateName,
  TEMPLATE_NAMES,
} from '../../../../contract/people/invitation-calls.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { PermissionMatrix } from '../rights/permission-matrix.tsx'
import { useGrantable, difference, grantsOf } from '../rights/permission-matrix-rules.ts'
import page from '../../../ui/page/page.module.css'
import styles from './invite.module.css'

interface Props {
  template: TemplateName
  choose: (template: TemplateName) => void
  /** Current rights; the selected card shows the number of differences from its template. */
  permissions: readonly Permission[]
}

/** Rights templates as cards, each with a description. */
const TemplateCards: FC<Props> = ({ template, choose, permissions }) => {
  const t = useT()
  const id = useId()
  const { added, removed } = difference(PERMISSION_TEMPLATES[template], permissions)
  const [addedCount, removedCount] = [grantsOf(added).size, grantsOf(removed).size]
  return (
    <fieldset className={styles.templates}>
      <legend>{t('people:invite.role')}</legend>
      {TEMPLATE_NAMES.map((name) => (
        <label key={name} className={`${page.card} ${styles.template}`}>
          <input type="radio" name={id} checked={template === name} onChange={() => choose(name)} />
          <b>
            {t(`people:invite.cards.${name}.name`)}
            {template === name && addedCount > 0 && <span> +{addedCount}</span>}
            {template === name && removedCount > 0 && <span> −{removedCount}</span>}
          </b>
          <small>{t(`people:invite.cards.${name}.text`)}</small>
        </label>
      ))}
    </fieldset>
  )
}

const NO_PERMISSIONS: readonly Permission[] = []

interface Rights {
  template: TemplateName
  permissions: readonly Permission[]
  choose: (template: TemplateName) => void
  adjust: (permissions: readonly Permission[]) => void
}

/** Rights of an invitation: those of a template that the current user may grant, plus adjustments. */
export function useRights(): Rights {
  const { limit } = useGrantable(NO_PERMISSIONS)
  const [template, setTemplate] = useState<TemplateName>('viewer')
  /** Undefined until the user adjusts them. */
  const [adjusted, setAdjusted] = useState<readonly Permission[]>()
  return {
    template,
    permissions: adjusted ?? limit(PERMISSION_TEMPLATES[template]).permissions,
    choose(next) {
      setTemplate(next)
      setAdjusted(undefined)
    },
    adjust: setAdjusted,
  }
}

/** Template cards, with the single rights below. */
export const RightsChoice: FC<Rights> = ({ template, permissions, choose, adjust }) => {
  const t = useT()
  const { allowed, limit } = useGrantable(NO_PERMISSIONS)
  const { excludedCount } = limit(PERMISSION_TEMPLATES[template])
  return (
    <>
      <TemplateCards template={template} choose={choose} permissions={permissions} />
      {excludedCount > 0 && (
        <Alert showIcon type="warning" message={t('people:rights.leftOut', { count: excludedCount })} />
      )}
      <Collapse
        items={[
          {
            key: 'rights',
            label: t('people:invite.adjust'),
            children: <PermissionMatrix value={permissions} onChange={adjust} allowed={allowed} />,
          },
        ]}
      />
    </>
  )
}
