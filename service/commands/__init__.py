"""What people may write to Waybill, and the one reader of it; knows no store and no desk."""
