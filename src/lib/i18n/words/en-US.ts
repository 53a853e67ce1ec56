import dashboard from '../../../../locales/en-US/dashboard.json'
import errors from '../../../../locales/en-US/errors.json'
import shell from '../../../../locales/en-US/shell.json'

/** The words of the first screen, in one file: each would cost a request of its own. */
export default { dashboard, errors, shell }
