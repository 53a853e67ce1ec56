import { TEMPLATE_NAMES, type TemplateName } from '../../../../contract/people/invitation-calls.ts'
import { describeField } from '../../../data/failure.ts'
import { t as say, useT } from '../../../lib/i18n/i18n.ts'
import type { ColumnName, KnownPeople } from './read-people.ts'

/** Message for a reason; duplicate emails have messages of their own. */
export const reasonWords = (reason: string): string =>
  reason === 'taken' || reason === 'repeated' ? say(`people:import.${reason}`) : describeField(reason)

/** Names of columns and templates, and the names accepted in files. */
export function useImportWords() {
  const t = useT()
  const columns: KnownPeople<ColumnName> = {
    Email: [t('resources:user.fields.Email'), 'email', 'e-mail', 'mail', '電子郵件', '信箱'],
    FirstName: [t('resources:user.fields.FirstName'), 'firstname', 'givenname', '名', '名字'],
    LastName: [t('resources:user.fields.LastName'), 'lastname', 'familyname', 'surname', '姓', '姓氏'],
    nickname: [t('resources:user.fields.nickname'), '暱稱'],
    Department: [t('resources:user.fields.DepartmentID'), '部門', 'dept'],
    rank: [t('resources:user.fields.rank'), '職級'],
    template: [t('people:import.template'), '權限範本', 'role'],
  }
  const templates = Object.fromEntries(
    TEMPLATE_NAMES.map((name) => [
      name,
      [t(`people:templates.${name}`), t(`people:templates.${name}`).split(/[：:]/)[0] ?? ''],
    ]),
  ) as unknown as KnownPeople<TemplateName>
  const titleOf = (column: ColumnName): string =>
    column === 'template'
      ? t('people:import.template')
      : t(`resources:user.fields.${column === 'Department' ? 'DepartmentID' : column}`)
  return { columns, templates, titleOf }
}
