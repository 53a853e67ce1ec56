import { App } from 'antd'
import { describeRefusal } from '../../data/failure.ts'
import { callErrorIn } from '../../data/post.ts'
import { t } from '../../lib/i18n/i18n.ts'

/**
 * Says why a person was not added, as §8 asks: a dialog titled Error with the server's message and a button OK. The reason stands
 * first in the person's language; the server writes its message in English.
 */
export function useCreateFailure(): (error: unknown) => void {
  const { modal } = App.useApp()
  return (error) => {
    const message = callErrorIn(error)?.message
    void modal.error({
      title: t('resources:user.error'),
      content: (
        <>
          <p>{describeRefusal(error)}</p>
          {message && <p lang="en">{message}</p>}
        </>
      ),
      okText: t('resources:user.ok'),
    })
  }
}
