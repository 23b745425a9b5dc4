-- Given to catalog: images that pages show, or have shown in a draft or version.
CREATE OR REPLACE VIEW document_image_references AS SELECT image_id FROM document_images;
