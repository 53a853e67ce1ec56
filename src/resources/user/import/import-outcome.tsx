import { Alert, Button } from 'antd'
import type { FC } from 'react'
import { displayName } from '../../../../contract/kernel/text.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { describeFailure } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { callErrorIn } from '../../../data/post.ts'
import { csvOfLines } from '../../../record-kit/export/csv-of-lines.ts'
import type { ImportProgress } from './create-people.ts'
import page from '../../../ui/page/page.module.css'
import styles from './import-users.module.css'
import { reasonWords } from './use-import-words.ts'

interface Props {
  /** Number of people to create. */
  of: number
  progress: ImportProgress
  /** Called once the initial passwords are saved to a file. */
  saved: () => void
  close: () => void
}

/** People who were created and who failed, and the initial passwords, which are shown only once. */
export const ImportOutcome: FC<Props> = ({ of, progress: { created, failed }, saved, close }) => {
  const t = useT()
  const savePasswords = () => {
    const passwords = csvOfLines([
      [t('resources:user.fields.Email'), t('resources:user.fields.name'), t('people:import.password')],
      ...created.map(({ person, password }) => [person.Email, displayName(person), password]),
    ])
    saveFile(`${t('people:import.passwords')}.csv`, passwords, 'text/csv;charset=utf-8')
    saved()
  }
  return (
    <>
      <Alert
        showIcon
        type={created.length === of ? 'success' : 'warning'}
        message={t('people:import.done', { count: created.length, of })}
        description={t('people:import.once')}
      />
      {failed.length > 0 && (
        <ul className={styles.faults}>
          {failed.map(({ line, person, error }) => {
            const [reason] = Object.values(callErrorIn(error)?.fields ?? {})
            return (
              <li key={line}>
                {t('people:import.failed', {
                  line,
                  email: person.Email,
                  reason: reason ? reasonWords(reason) : describeFailure(error),
                })}
              </li>
            )
          })}
        </ul>
      )}
      <div className={`${page.actions} ${styles.buttons}`}>
        {created.length > 0 && (
          <Button type="primary" onClick={savePasswords}>
            {t('people:import.download')}
          </Button>
        )}
        <Button onClick={close}>{t('screens:close')}</Button>
      </div>
    </>
  )
}
