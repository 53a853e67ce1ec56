import { Alert, Button } from 'antd'
import type { FC } from 'react'
import type { User } from '../../../contract/resources/user.ts'
import { useT } from '../../providers/i18n.ts'
import { DepartmentName } from '../department/department-name.tsx'
import { RightsChange } from './rights-change.tsx'
import styles from './permission-matrix.module.css'

const FIELDS = [
  'LastName',
  'FirstName',
  'nickname',
  'DepartmentID',
  'rank',
  'enabled',
  'Permissions',
] as const
type Field = (typeof FIELDS)[number]

interface Props {
  /** The person as the form was opened with. */
  base: User
  /** As somebody else has saved them since. */
  theirs: User
  /** Puts theirs into the form. */
  take: () => void
  /** Keeps what the form says: the next save replaces theirs. */
  keep: () => void
}

/** Says that somebody else has changed the same person, and what; nothing is overwritten before one has chosen. */
export const UserConflict: FC<Props> = ({ base, theirs, take, keep }) => {
  const t = useT()
  const changed = FIELDS.filter((field) => JSON.stringify(base[field]) !== JSON.stringify(theirs[field]))
  const shown = (person: User, field: Exclude<Field, 'Permissions'>) => {
    if (field === 'DepartmentID') return <DepartmentName id={person.DepartmentID} />
    if (field === 'enabled') return t(person.enabled ? 'resources:user.on' : 'resources:user.off')
    return person[field] === '' ? '–' : person[field]
  }
  return (
    <Alert
      showIcon
      type="warning"
      role="alert"
      style={{ marginBottom: 16 }}
      message={t('people:conflict.title')}
      description={
        <>
          {t('people:conflict.text')}
          {changed.length > 0 && (
            <table className={styles.theirs}>
              <thead>
                <tr>
                  <th scope="col">{t('people:conflict.field')}</th>
                  <th scope="col">{t('people:conflict.before')}</th>
                  <th scope="col">{t('people:conflict.theirs')}</th>
                </tr>
              </thead>
              <tbody>
                {changed.map((field) => (
                  <tr key={field}>
                    <th scope="row">{t(`resources:user.fields.${field}`)}</th>
                    {field === 'Permissions' ? (
                      <td colSpan={2}>
                        <RightsChange before={base.Permissions} after={theirs.Permissions} />
                      </td>
                    ) : (
                      <>
                        <td>{shown(base, field)}</td>
                        <td>{shown(theirs, field)}</td>
                      </>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <div className={styles.buttons}>
            <Button type="primary" onClick={take}>
              {t('people:conflict.take')}
            </Button>
            <Button onClick={keep}>{t('people:conflict.keep')}</Button>
          </div>
        </>
      }
    />
  )
}
