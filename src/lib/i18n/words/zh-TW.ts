import dashboard from '../../../../locales/zh-TW/dashboard.json'
import errors from '../../../../locales/zh-TW/errors.json'
import shell from '../../../../locales/zh-TW/shell.json'

/** The words of the first screen, in one file: each would cost a request of its own. */
export default { dashboard, errors, shell }
