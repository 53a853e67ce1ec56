import { Alert, Collapse } from 'antd'
import { useState, type FC } from 'react'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import { PERMISSION_TEMPLATES, type TemplateName } from '../../../../contract/people/permission-templates.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { PermissionMatrix } from '../permission-matrix.tsx'
import { useGrantable } from '../use-grantable.ts'
import { TemplateCards } from './template-cards.tsx'

const NOBODYS: readonly Permission[] = []

interface Rights {
  template: TemplateName
  permissions: readonly Permission[]
  choose: (template: TemplateName) => void
  adjust: (permissions: readonly Permission[]) => void
}

/** The rights of whoever is invited: those of a template, as far as they may be handed on, and what was adjusted of them. */
export function useRights(): Rights {
  const { limit } = useGrantable(NOBODYS)
  const [template, setTemplate] = useState<TemplateName>('viewer')
  /** Undefined until somebody adjusts them. */
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

/** A card for each task, and the single rights below for who wants others. */
export const RightsChoice: FC<Rights> = ({ template, permissions, choose, adjust }) => {
  const t = useT()
  const { within, limit } = useGrantable(NOBODYS)
  const { leftOut } = limit(PERMISSION_TEMPLATES[template])
  return (
    <>
      <TemplateCards chosen={template} choose={choose} permissions={permissions} />
      {leftOut > 0 && (
        <Alert showIcon type="warning" message={t('people:rights.leftOut', { count: leftOut })} />
      )}
      <Collapse
        items={[
          {
            key: 'rights',
            label: t('people:invite.adjust'),
            children: <PermissionMatrix value={permissions} onChange={adjust} within={within} />,
          },
        ]}
      />
    </>
  )
}
