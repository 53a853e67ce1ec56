import { describeRefusal } from '../../data/failure.ts'
import { callErrorIn } from '../../data/post.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { showError } from '../../ui/page/dialogs.ts'

/**
 * Says why a person was not added, as §8 asks: a dialog titled Error with the server's message and a button OK. The reason stands
 * first in the person's language; the server writes its message in English.
 */
export function showCreateFailure(error: unknown): void {
  const message = callErrorIn(error)?.message
  showError({
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
