import { ConfigProvider } from 'antd'
import { useId, type FC } from 'react'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import {
  PERMISSION_TEMPLATES,
  TEMPLATE_NAMES,
  type TemplateName,
} from '../../../../contract/people/permission-templates.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { difference, grantsOf } from './permission-matrix-rules.ts'
import page from '../../../ui/page/page.module.css'

interface Props {
  /** Undefined for rights that come from no template. */
  template: TemplateName | undefined
  choose: (template: TemplateName) => void
  /** Current rights; the selected card shows the number of differences from its template. */
  permissions: readonly Permission[]
}

/** Rights templates as cards, each with a description. */
export const TemplateCards: FC<Props> = ({ template, choose, permissions }) => {
  const t = useT()
  const id = useId()
  const { componentDisabled } = ConfigProvider.useConfig()
  const { added, removed } = difference(PERMISSION_TEMPLATES[template ?? 'none'], permissions)
  const [addedCount, removedCount] = [grantsOf(added).size, grantsOf(removed).size]
  return (
    <fieldset className={page.tiles} disabled={componentDisabled === true}>
      <legend>{t('people:invite.role')}</legend>
      {TEMPLATE_NAMES.map((name) => (
        <label key={name} className={`${page.option} ${page.field} ${page.padded}`}>
          <input type="radio" name={id} checked={template === name} onChange={() => choose(name)} />
          <b>
            {t(`people:invite.cards.${name}.name`)}
            {template === name && addedCount > 0 && <span> +{addedCount}</span>}
            {template === name && removedCount > 0 && <span> −{removedCount}</span>}
          </b>
          <small>{t(`people:invite.cards.${name}.text`)}</small>
        </label>
      ))}
      {template === undefined && (
        <label className={`${page.option} ${page.field} ${page.padded}`}>
          <input type="radio" name={id} checked readOnly />
          <b>{t('people:list.custom')}</b>
          <small>{t('people:rights.custom', { count: addedCount })}</small>
        </label>
      )}
    </fieldset>
  )
}
