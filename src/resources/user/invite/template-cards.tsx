import { useId, type FC } from 'react'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import {
  PERMISSION_TEMPLATES,
  TEMPLATE_NAMES,
  type TemplateName,
} from '../../../../contract/people/permission-templates.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { difference, grantsOf } from '../permission-matrix-rules.ts'
import styles from './invite.module.css'

interface Props {
  chosen: TemplateName
  choose: (template: TemplateName) => void
  /** The rights as they are, adjusted or not; the chosen card says by how many they differ from it. */
  permissions: readonly Permission[]
}

/** What somebody is to do here, a card each with its sentence. */
export const TemplateCards: FC<Props> = ({ chosen, choose, permissions }) => {
  const t = useT()
  const id = useId()
  const { added, removed } = difference(PERMISSION_TEMPLATES[chosen], permissions)
  const [more, fewer] = [grantsOf(added).size, grantsOf(removed).size]
  return (
    <fieldset className={styles.templates}>
      <legend>{t('people:invite.role')}</legend>
      {TEMPLATE_NAMES.map((name) => (
        <label key={name} className={`${page.card} ${styles.template}`}>
          <input type="radio" name={id} checked={chosen === name} onChange={() => choose(name)} />
          <b>
            {t(`people:invite.cards.${name}.name`)}
            {chosen === name && more > 0 && <span> +{more}</span>}
            {chosen === name && fewer > 0 && <span> −{fewer}</span>}
          </b>
          <small>{t(`people:invite.cards.${name}.text`)}</small>
        </label>
      ))}
    </fieldset>
  )
}
