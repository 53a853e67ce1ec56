import company from '../../../../locales/en-US/company.json'
import devices from '../../../../locales/en-US/devices.json'
import lists from '../../../../locales/en-US/lists.json'
import personal from '../../../../locales/en-US/personal.json'
import screens from '../../../../locales/en-US/screens.json'

/** Texts of every screen after the first in one file, to save requests. */
export default { company, devices, lists, personal, screens }
