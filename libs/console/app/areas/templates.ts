import TemplatesScreen from '../../screens/templates/templates-screen';
import TemplateEditorScreen from '../../screens/templates/template-editor-screen';
import TemplateScreen from '../../screens/templates/template-screen';

/** The screens that are loaded together with any of these. */
export default {
  templates: TemplatesScreen,
  templateEditor: TemplateEditorScreen,
  template: TemplateScreen,
};
